package io.plat.cli.cani;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.ask.PolicyFileSource;
import io.plat.cli.ask.ServerSource;
import io.plat.cli.command.Program;
import io.plat.cli.discovery.ServedNames;
import io.plat.cli.output.Progress;
import io.plat.cli.process.CommandException;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the namespaces in which something is allowed that is not allowed in all at once. */
final class NamespaceSweep {
    private NamespaceSweep() {}

    /** Those namespaces, one question each, in the order of their names. */
    static List<String> allowedIn(
            Program program, DecisionSource source, Optional<UserInfo> subject, ResourceAttributes everywhere) {
        Collection<String> candidates;
        try {
            candidates = candidates(source);
        } catch (CommandException e) {
            program.report()
                    .warn("only all namespaces at once were checked, as they can't be listed: " + e.getMessage());
            return List.of();
        }
        List<String> allowed = new ArrayList<>();
        try (Progress progress = program.progress("namespaces", candidates.size())) {
            for (String namespace : candidates) {
                if (source.decide(DecisionSource.review(subject, in(namespace, everywhere)))
                        .said()
                        .allowed()) {
                    allowed.add(namespace);
                }
                progress.step();
            }
        }
        return allowed;
    }

    /** Policy files can allow something in some namespaces only where they name them. */
    private static Collection<String> candidates(DecisionSource source) {
        return switch (source) {
            case PolicyFileSource files -> files.explainer().names().namespaces();
            case ServerSource server -> ServedNames.namespaces(server.connection());
        };
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

    /** A review with the member {@code namespaces} at its end; unchanged where there are none. */
    static byte[] with(byte[] review, List<String> namespaces) {
        if (namespaces.isEmpty()) {
            return review;
        }
        String text = new String(review, StandardCharsets.UTF_8).stripTrailing();
        return (text.substring(0, text.length() - 1) + ",\"namespaces\":["
                        + namespaces.stream().map(JsonText::quoted).collect(Collectors.joining(",")) + "]}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
