package io.plat.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class ProgramVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return new String[] {"plat " + Objects.requireNonNullElse(version, "(not packaged)")};
    }
}
