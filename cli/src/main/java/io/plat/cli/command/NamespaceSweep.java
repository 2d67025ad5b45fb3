package io.plat.cli.command;

import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.ProgressLine;
import io.plat.cli.process.CommandException;
import io.plat.cli.request.ApiResource;
import io.plat.cli.request.DecisionSource;
import io.plat.cli.request.PolicyFileSource;
import io.plat.cli.request.ResourceTypes;
import io.plat.cli.request.ServedNames;
import io.plat.cli.request.ServerSource;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.NearMiss;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Repeats a request for all namespaces at once in each namespace, as an access can be limited to some of them. */
public final class NamespaceSweep {
    /** The namespace of a binding, or of a line. */
    private static final Pattern LIMITED = Pattern.compile("\\bRoleBinding/([^/ ]+)/|\"namespace\":\"([^\"*]+)\"");

    private NamespaceSweep() {}

    /**
     * Passes the request to a consumer for each namespace, in the order of their names; not at all if it has a namespace, or none is possible.
     *
     * @param each receives the namespace and the request
     */
    public static void each(
            Program program, DecisionSource source, AccessAttributes query, BiConsumer<String, AccessAttributes> each) {
        if (!(query instanceof ResourceAttributes access)
                || !access.namespace().isEmpty()
                || !isNamespaced(source, access)) {
            return;
        }
        Collection<String> candidates = candidates(program, source, access);
        try (ProgressLine progress = program.progress("namespaces", candidates.size())) {
            for (String namespace : candidates) {
                each.accept(namespace, access.in(namespace));
                progress.step();
            }
        }
    }

    /** Policies can allow something in some namespaces only where they name them. */
    private static Collection<String> candidates(Program program, DecisionSource source, ResourceAttributes access) {
        return switch (source) {
            case PolicyFileSource files -> files.explainer().names().namespaces();
            case ServerSource server ->
                server.engine()
                        .<Collection<String>>map(
                                roles -> Explainer.of("", roles).names().namespaces())
                        .orElseGet(() -> served(program, server, access));
        };
    }

    /** Returns the namespaces of a server; for a server without namespaces, such as a decider, those of the nearest grants. */
    private static Collection<String> served(Program program, ServerSource server, ResourceAttributes access) {
        try {
            return ServedNames.namespaces(server.connection());
        } catch (CommandException e) {
            BoundedList<NearMiss> nearest = server.nearest(access);
            Set<String> namespaces = new TreeSet<>();
            for (NearMiss miss : nearest.items()) {
                Matcher named = LIMITED.matcher(
                        miss.grant().source() + " " + miss.grant().rule());
                if (named.find()) {
                    namespaces.add(Objects.requireNonNullElse(named.group(1), named.group(2)));
                }
            }
            // Grants that lack no more than user and namespace precede those that lack more.
            boolean all = !nearest.items().isEmpty()
                    && (nearest.leftOut() == 0
                            || nearest.items().getLast().lacks().size() > 2);
            if (!all) {
                program.report()
                        .warn("only " + (namespaces.isEmpty() ? "all namespaces at once" : "some namespaces")
                                + " were checked, as they cannot be listed: " + e.getMessage());
            }
            return namespaces;
        }
    }

    /** Returns whether a requested type is namespaced; an unknown one may be. */
    private static boolean isNamespaced(DecisionSource source, ResourceAttributes access) {
        return ResourceTypes.builtIn()
                .find(access.resource(), access.group())
                .or(() -> source.additionalTypes().find(access.resource(), access.group()))
                .map(ApiResource::namespaced)
                .orElse(true);
    }

    /** Returns a review with the member {@code namespaces} at its end, a list of these values; unchanged if there are none. */
    public static byte[] document(@Nullable Object review, List<? extends @Nullable Object> values) {
        Object document = review;
        if (review instanceof Map<?, ?> members && !values.isEmpty()) {
            Map<Object, @Nullable Object> all = new LinkedHashMap<>(members);
            all.put("namespaces", values);
            document = all;
        }
        return JsonAnswer.of(document);
    }
}
