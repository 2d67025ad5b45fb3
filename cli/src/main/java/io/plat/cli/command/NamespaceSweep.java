package io.plat.cli.command;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.ask.PolicyFileSource;
import io.plat.cli.ask.ServerSource;
import io.plat.cli.discovery.ServedNames;
import io.plat.cli.output.Progress;
import io.plat.cli.process.CommandException;
import io.plat.cli.question.ResourceType;
import io.plat.cli.question.ResourceTypes;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

/** Repeats a request for all namespaces at once in each namespace, as an access can be limited to some of them. */
public final class NamespaceSweep {
    private NamespaceSweep() {}

    /**
     * Passes the request to a consumer once a namespace, in the order of their names; not at all if it has a namespace, or none is possible.
     *
     * @param each receives the namespace and the request
     */
    public static void each(
            Program program, DecisionSource source, AccessAttributes asked, BiConsumer<String, AccessAttributes> each) {
        if (!(asked instanceof ResourceAttributes access)
                || !access.namespace().isEmpty()
                || !isNamespaced(source, access)) {
            return;
        }
        Collection<String> candidates;
        try {
            candidates = candidates(source);
        } catch (CommandException e) {
            program.report()
                    .warn("only all namespaces at once were checked, as they can't be listed: " + e.getMessage());
            return;
        }
        try (Progress progress = program.progress("namespaces", candidates.size())) {
            for (String namespace : candidates) {
                each.accept(namespace, in(namespace, access));
                progress.step();
            }
        }
    }

    /** Policies can allow something in some namespaces only where they name them. */
    private static Collection<String> candidates(DecisionSource source) {
        return switch (source) {
            case PolicyFileSource files -> files.explainer().names().namespaces();
            case ServerSource server ->
                server.engine()
                        .<Collection<String>>map(
                                roles -> Explainer.of("", roles).names().namespaces())
                        .orElseGet(() -> ServedNames.namespaces(server.connection()));
        };
    }

    /** Returns whether a requested type is namespaced; an unknown one may be. */
    private static boolean isNamespaced(DecisionSource source, ResourceAttributes access) {
        return ResourceTypes.builtIn()
                .find(access.resource(), access.group())
                .or(() -> source.furtherTypes().find(access.resource(), access.group()))
                .map(ResourceType::namespaced)
                .orElse(true);
    }

    private static ResourceAttributes in(String namespace, ResourceAttributes access) {
        return new ResourceAttributes(
                namespace,
                access.verb(),
                access.group(),
                access.version(),
                access.resource(),
                access.subresource(),
                access.name());
    }

    /** Returns a review with the member {@code namespaces} at its end, a list of these values; unchanged if there are none. */
    public static byte[] with(byte[] review, List<String> values) {
        if (values.isEmpty()) {
            return review;
        }
        String text = new String(review, StandardCharsets.UTF_8).stripTrailing();
        return (text.substring(0, text.length() - 1) + ",\"namespaces\":[" + String.join(",", values) + "]}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
