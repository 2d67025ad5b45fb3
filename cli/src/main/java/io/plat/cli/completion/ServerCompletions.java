package io.plat.cli.completion;

import io.plat.cli.discovery.ServedNames;
import io.plat.cli.discovery.ServedTypes;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.Environment;
import io.plat.cli.question.ResourceType;
import io.plat.cli.question.ResourceTypes;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerChoice;
import io.plat.cli.server.Trace;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Words that a server knows. One that does not answer within two seconds, or not at all, knows none. A word that Kubernetes' grammar does
 * not allow, such as {@code $(…)}, is not offered: a shell would obey it.
 */
final class ServerCompletions {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final Predicate<String> NAMESPACE = Pattern.compile(LABEL).asMatchPredicate();
    private static final Predicate<String> TYPE = Pattern.compile(
                    LABEL + "(\\." + LABEL + ")*(/" + LABEL + "(/" + LABEL + ")*)?")
            .asMatchPredicate();

    /** Tools call contexts by users, clusters and their resource names. */
    private static final Predicate<String> CONTEXT =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@+-]*").asMatchPredicate();

    private final ConnectionOptions flags;
    private final Environment surroundings;

    /** Words of the server that flags, environment and files name. */
    ServerCompletions(ConnectionOptions flags, Environment surroundings) {
        this.flags = flags;
        this.surroundings = surroundings;
    }

    private Optional<HttpsConnection> server() {
        try {
            Trace silent = new Trace(() -> new PrintWriter(Writer.nullWriter()), 0);
            return Optional.of(
                    ServerChoice.of(flags, surroundings).connect(silent).impatient());
        } catch (CommandException | InvalidPathException none) {
            return Optional.empty();
        }
    }

    List<String> contexts() {
        try {
            return ServerChoice.contexts(flags, surroundings).stream()
                    .filter(CONTEXT)
                    .toList();
        } catch (InvalidPathException none) {
            return List.of();
        }
    }

    List<String> namespaces() {
        try {
            return server().map(ServedNames::namespaces).orElse(List.of()).stream()
                    .filter(NAMESPACE)
                    .toList();
        } catch (CommandException unanswered) {
            return List.of();
        }
    }

    /** Resource types, and behind the slash of one its subresources. */
    Collection<String> types(String begun) {
        List<ResourceType> types = new ArrayList<>(ResourceTypes.builtIn().all());
        types.addAll(served());
        int slash = begun.indexOf('/');
        Set<String> words = new TreeSet<>();
        for (ResourceType type : types) {
            String word = word(type, words);
            if (slash < 0) {
                words.add(word);
            } else if (begun.startsWith(word + "/") || begun.startsWith(type.resource() + "/")) {
                type.subresources().forEach(part -> words.add(begun.substring(0, slash + 1) + part));
            }
        }
        words.removeIf(TYPE.negate());
        return words;
    }

    /** The bare name where no earlier type has it. */
    private static String word(ResourceType type, Set<String> taken) {
        return type.group().isEmpty() || !taken.contains(type.resource())
                ? type.resource()
                : type.resource() + "." + type.group();
    }

    private List<ResourceType> served() {
        try {
            return server().map(connection -> new ServedTypes(connection).types(null))
                    .orElse(List.of());
        } catch (CommandException unanswered) {
            return List.of();
        }
    }

    /** The subresources of the type that a question names. */
    Collection<String> subresources(List<String> question) {
        if (question.size() < 2) {
            return List.of();
        }
        String word = question.get(1).replaceAll("[./].*", "");
        return ResourceTypes.builtIn()
                .find(word)
                .map(ResourceType::subresources)
                .orElse(Set.of());
    }
}
