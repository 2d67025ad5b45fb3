package io.plat.cli.convert;

import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicyReader;
import io.plat.cli.question.ResourceTypes;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.TooComplexException;
import io.plat.engine.rbac.RbacPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat convert}: policy lines as role objects, and back where that can be said. */
@Command(
        name = "convert",
        mixinStandardHelpOptions = true,
        description =
                "Says a policy file by role objects, or role objects by a policy file, with the same decisions: both are compared as sets"
                        + " of accesses before anything is printed. What can't be said is left out and listed on stderr, as is what is"
                        + " taken for granted: subresources, for one, which a line stands for and a rule has to name.",
        footer = {
            "",
            "Exit status: 1 where something can't be said.",
            "",
            "Examples:",
            "  plat convert policy.jsonl > roles.yaml",
            "  plat convert roles.yaml --to abac > policy.jsonl"
        })
public final class ConvertCommand implements Callable<Integer> {
    /** The forms that a policy has. */
    enum Form {
        RBAC,
        ABAC;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "policy lines, or role objects: a file or a folder")
    private Path file = Path.of("");

    @Option(
            names = "--to",
            paramLabel = "FORM",
            defaultValue = "rbac",
            description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private Form to = Form.RBAC;

    @Override
    public Integer call() {
        Plat plat = Plat.of(Objects.requireNonNull(spec));
        PolicyDocuments policy = PolicyReader.read(List.of(file));
        Report report = plat.report();
        policy.warnings().forEach(warning -> report.warn(warning.toString()));
        Converted converted = converted(policy);
        converted.assumed().forEach(assumption -> report.warn("taken for granted: " + assumption));
        switch (plat.format()) {
            case TEXT -> {
                if (!converted.document().text().isEmpty()) {
                    report.print(converted.document().text().stripTrailing());
                }
            }
            case JSON, YAML -> report.printDocument(converted.document().json(), plat.format());
        }
        converted.unsaid().forEach(report::warn);
        return converted.unsaid().isEmpty() ? ExitStatus.YES : ExitStatus.NO;
    }

    private Converted converted(PolicyDocuments policy) {
        KnownSubresources known = new KnownSubresources(ResourceTypes.builtIn());
        AbacPolicy lines = policy.lines();
        RbacPolicy roles = policy.roles();
        try {
            return switch (to) {
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
            throw CommandException.couldNotTell(String.valueOf(e.getMessage()));
        }
    }
}
