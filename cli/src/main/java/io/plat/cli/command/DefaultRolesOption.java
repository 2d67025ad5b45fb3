package io.plat.cli.command;

import io.plat.engine.rbac.defaults.KubernetesRoles;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Flag that adds Kubernetes' default role objects to those of files, with the values of the servers' flag. */
public final class DefaultRolesOption {
    @Option(names = KubernetesRoles.FLAG, paramLabel = "kubernetes|none", arity = "1", converter = Words.class)
    private boolean added;

    /** Returns whether they are added. */
    public boolean added() {
        return added;
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
