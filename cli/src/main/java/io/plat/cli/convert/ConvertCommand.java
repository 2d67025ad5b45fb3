package io.plat.cli.convert;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.request.ApiResource;
import io.plat.cli.request.ResourceTypes;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.Subresources;
import io.plat.engine.access.TooComplexException;
import io.plat.engine.access.Values;
import io.plat.engine.rbac.RbacPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat convert}: policy lines to role objects, and back where that is possible. */
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
        PolicyDocuments policy = plat.policy(List.of(file));
        if (policy.isEmpty()) {
            return ExitStatus.UNDETERMINED;
        }
        ConversionResult converted = converted(policy);
        converted.assumed().forEach(assumption -> plat.report().warn("assumed: " + assumption));
        plat.print(report -> print(report, converted.text()), () -> JsonAnswer.of(converted.document()));
        plat.report().warn(converted.unconverted());
        return converted.unconverted().isEmpty() ? ExitStatus.YES : ExitStatus.NO;
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
                        throw CommandException.usage("--to rbac: expected only policy lines in \"" + file + "\"");
                    }
                    yield ToRoles.of(lines, known);
                }
                case ABAC -> {
                    if (roles == null || lines != null) {
                        throw CommandException.usage("--to abac: expected only RBAC objects in \"" + file + "\"");
                    }
                    yield ToLines.of(roles, known);
                }
            };
        } catch (TooComplexException e) {
            throw CommandException.of(e);
        }
    }

    /**
     * A policy in the other form.
     *
     * @param text the result as a file, with line ends
     * @param document the same as one JSON document
     * @param unconverted the parts that cannot be converted, each with its location and the reason
     * @param assumed the assumptions
     */
    record ConversionResult(String text, Object document, List<String> unconverted, List<String> assumed) {
        ConversionResult {
            unconverted = List.copyOf(unconverted);
            assumed = List.copyOf(assumed);
        }
    }

    /**
     * Subresources of the built-in types, and those that a custom type may have. A rule has to name them one by one, while a line covers all of
     * them.
     */
    static final class KnownSubresources implements Subresources {
        private static final Set<String> OF_DEFINED_TYPES = Set.of("scale", "status");

        private final Map<String, SortedSet<String>> byResource = new HashMap<>();
        private final Map<String, Boolean> clusterScoped = new HashMap<>();

        KnownSubresources(ResourceTypes types) {
            for (ApiResource type : types.all()) {
                byResource
                        .computeIfAbsent(type.resource(), _ -> new TreeSet<>())
                        .addAll(type.subresources());
                clusterScoped.merge(type.resource(), !type.namespaced(), Boolean::logicalAnd);
            }
        }

        /** Returns whether no request for the resource has a namespace; a request for a Namespace has that namespace. */
        boolean isOutsideOfNamespaces(String resource) {
            return clusterScoped.getOrDefault(resource, false) && !resource.equals("namespaces");
        }

        /** Returns whether every server has this type. */
        boolean isKnown(String resource) {
            return byResource.containsKey(resource);
        }

        /** Returns the resource and its subresources in the form of rules. */
        List<String> written(String resource) {
            List<String> written = new ArrayList<>(List.of(resource));
            subresources(resource).forEach(subresource -> written.add(resource + "/" + subresource));
            return written;
        }

        private SortedSet<String> subresources(String resource) {
            return byResource.getOrDefault(resource, new TreeSet<>(OF_DEFINED_TYPES));
        }

        @Override
        public Values of(String resource) {
            SortedSet<String> all = new TreeSet<>(subresources(resource));
            all.add("");
            return Values.of(all);
        }
    }
}
