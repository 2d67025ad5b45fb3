package io.plat.cli.convert;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.question.ResourceTypes;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.TooComplexException;
import io.plat.engine.rbac.RbacPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code plat convert}: policy lines to role objects, and back where that is possible. */
@Command(name = "convert", mixinStandardHelpOptions = true)
public final class ConvertCommand extends PlatCommand {
    enum Form {
        RBAC,
        ABAC;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "FILE")
    private Path file = Path.of("");

    @Option(names = "--to", paramLabel = "FORM")
    private @Nullable Form to;

    @Override
    public int run(Program plat) {
        ConversionResult converted = converted(plat.policy(List.of(file)));
        converted.assumed().forEach(assumption -> plat.report().warn("assumed: " + assumption));
        plat.print(report -> print(report, converted.text()), () -> JsonAnswer.of(converted.document()));
        plat.report().warn(converted.unsaid());
        return converted.unsaid().isEmpty() ? ExitStatus.YES : ExitStatus.NO;
    }

    private static void print(Report report, String text) {
        if (!text.isEmpty()) {
            report.print(text.stripTrailing());
        }
    }

    private ConversionResult converted(PolicyDocuments policy) {
        KnownSubresources known = new KnownSubresources(ResourceTypes.builtIn());
        AbacPolicy lines = policy.lines();
        RbacPolicy roles = policy.roles();
        try {
            boolean onlyRoles = lines == null && roles != null;
            return switch (to == null ? (onlyRoles ? Form.ABAC : Form.RBAC) : to) {
                case RBAC -> {
                    if (lines == null || (roles != null && !roles.bindings().isEmpty())) {
                        throw CommandException.usage("--to rbac: expected policy lines alone in \"" + file + "\"");
                    }
                    yield ToRoles.of(lines, known);
                }
                case ABAC -> {
                    if (roles == null || lines != null) {
                        throw CommandException.usage("--to abac: expected role objects alone in \"" + file + "\"");
                    }
                    yield ToLines.of(roles, known);
                }
            };
        } catch (TooComplexException e) {
            throw CommandException.of(e);
        }
    }
}
