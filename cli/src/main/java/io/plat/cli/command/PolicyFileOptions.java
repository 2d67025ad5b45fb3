package io.plat.cli.command;

import io.plat.engine.rbac.defaults.KubernetesRoles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Flags for policy files, with the names and values of the servers' flags. */
public final class PolicyFileOptions {
    @Option(names = "--authorization-policy-file", paramLabel = "FILE")
    @Nullable
    Path policyFile;

    @Option(names = "--authorization-rbac-path", paramLabel = "PATH")
    List<Path> rbacPaths = new ArrayList<>();

    @Option(names = KubernetesRoles.FLAG, paramLabel = "kubernetes|none", arity = "1", converter = Words.class)
    public boolean defaultRoles;

    public boolean isSet() {
        return policyFile != null || !rbacPaths.isEmpty() || defaultRoles;
    }

    /** Returns the files and directories. */
    public List<Path> paths() {
        return Stream.concat(Stream.ofNullable(policyFile), rbacPaths.stream()).toList();
    }

    /** Converter of the values. */
    static final class Words implements ITypeConverter<Boolean> {
        @Override
        public Boolean convert(String text) {
            if (List.of("kubernetes", "true").contains(text)) {
                return true;
            }
            if (List.of("none", "false").contains(text)) {
                return false;
            }
            throw new TypeConversionException("expected kubernetes or none, found \"" + text + "\"");
        }
    }
}
