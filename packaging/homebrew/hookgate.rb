class Hookgate < Formula
  desc "One fast gate behind every hook of a coding agent"
  homepage "https://github.com/hookgate/hookgate"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]
@ARCHIVES@
  def install
    bin.install "hookgate"
    man1.install "man/hookgate.1"
    bash_completion.install "completions/hookgate.bash" => "hookgate"
    zsh_completion.install "completions/_hookgate"
    fish_completion.install "completions/hookgate.fish"
  end

  def caveats
    <<~TEXT
      Run `hookgate init` to add it to your agent's settings, and `hookgate uninstall` before you remove this formula.
    TEXT
  end

  test do
    assert_match "FILE002", shell_output("#{bin}/hookgate check --isolated 'rm -rf /etc'", 1)
  end
end
