#!/usr/bin/env node
// Starts the binary of this platform's package. Hooks don't come this way: `hookgate init` registers the binary itself.
"use strict";
const { spawnSync } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`@hookgate/${platform}/bin/hookgate`);
} catch {
  console.error(
    `hookgate: there is no binary for ${platform} here: the package @hookgate/${platform} is not installed. ` +
      "Install without --omit=optional, or build it: cargo install hookgate",
  );
  process.exit(2);
}
const { status, signal, error } = spawnSync(binary, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`hookgate: can't start ${binary}: ${error.message}`);
  process.exit(2);
}
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 2);
