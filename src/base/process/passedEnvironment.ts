/**
 * The environment of what a model runs: the variables that programs need to work. Secrets of the user, and variables that give access to
 * them (such as the socket of an ssh agent), are left out.
 */
const PASSED = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TERM|DISPLAY|WAYLAND_DISPLAY)$/,
  /^(LC|XDG)_[A-Z_]+$/,
  // Locations of compilers and similar tools.
  /^(JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PYENV_ROOT|VIRTUAL_ENV|CONDA_PREFIX|ANDROID_HOME|DOTNET_ROOT|GEM_HOME)$/,
  /^(https?|all|no)_proxy$/i,
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/,
  // Windows
  /^(SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|TEMP|TMP|USERPROFILE|USERNAME|APPDATA|LOCALAPPDATA|PROGRAMDATA|ProgramFiles.*|HOMEDRIVE|HOMEPATH)$/i,
];

export function passedEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const passed = Object.entries(own).filter(([name, value]) => value !== undefined && PASSED.some((pattern) => pattern.test(name)));
  return Object.fromEntries(passed) as Record<string, string>;
}
