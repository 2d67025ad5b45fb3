package io.plat.review.clientconfig;

import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * A client configuration file: named clusters, users and contexts, and the context in use.
 *
 * <p>Fields for other clients are ignored; unsupported fields that affect the connection or the credentials are rejected if the selected context uses
 * them.
 */
public final class ClientConfig {
    private static final String CURRENT_CONTEXT = "current-context";

    private final Path file;
    private final Location currentAt;
    private final String currentContext;
    private final NamedEntries clusters;
    private final NamedEntries users;
    private final NamedEntries contexts;

    private ClientConfig(Path file, SourceFields root, List<Problem> problems) {
        this.file = file;
        this.currentAt = root.where(CURRENT_CONTEXT);
        this.currentContext = root.string(CURRENT_CONTEXT);
        this.clusters = NamedEntries.read(root, "clusters", "cluster", problems);
        this.users = NamedEntries.read(root, "users", "user", problems);
        this.contexts = NamedEntries.read(root, "contexts", "context", problems);
    }

    /**
     * Reads a configuration from a file.
     *
     * @throws ProblemsException if it cannot be read or is not a client configuration
     */
    public static ClientConfig read(Path file) throws ProblemsException {
        List<SourceNode> documents = documents(file);
        if (documents.size() != 1) {
            Location where = documents.isEmpty()
                    ? new Location(file.toString(), 0)
                    : documents.get(1).where();
            throw new ProblemsException(new Problem(
                    where, "expected one client configuration, found " + (documents.isEmpty() ? "nothing" : "more")));
        }
        List<Problem> problems = new ArrayList<>();
        SourceFields root = SourceFields.of(documents.getFirst(), "", problems);
        checkType(root, "apiVersion", "v1");
        checkType(root, "kind", "Config");
        ClientConfig config = new ClientConfig(file, root, problems);
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
        return config;
    }

    /** Parses the documents. The parser quotes the offending word, which may be a part of a token. */
    private static List<SourceNode> documents(Path file) throws ProblemsException {
        try {
            return SourceReader.readYaml(file);
        } catch (ProblemsException e) {
            throw new ProblemsException(e.problems().stream()
                    .map(problem -> new Problem(problem.where(), withoutWords(problem.message())))
                    .toList());
        }
    }

    private static String withoutWords(String message) {
        return message.replaceAll("token '[^']*'?", "token")
                .replaceAll("(tag|anchor|key) \"(\\\\.|[^\"\\\\])*\"", "$1")
                .replaceAll("undefined alias .*", "undefined alias");
    }

    private static void checkType(SourceFields root, String key, String expected) {
        String actual = root.string(key);
        if (!actual.isEmpty() && !actual.equals(expected)) {
            root.problem(key, "expected " + Quoted.of(expected) + ", found " + Quoted.of(actual));
        }
    }

    /** Returns the name of the context in use, or {@code ""} if the file has none. */
    public String currentContext() {
        return currentContext;
    }

    /** Returns the names of all contexts, in the order of the file. */
    public SequencedSet<String> contexts() {
        return contexts.names();
    }

    /**
     * Returns the connection of the current context.
     *
     * @throws ProblemsException with all its problems
     */
    public ServerConnection resolve() throws ProblemsException {
        if (currentContext.isEmpty()) {
            throw new ProblemsException(new Problem(currentAt, CURRENT_CONTEXT + ": required"));
        }
        return resolve(currentContext, currentAt, CURRENT_CONTEXT + ": ");
    }

    /**
     * Returns the connection of a context by its name.
     *
     * @throws ProblemsException with all its problems
     */
    public ServerConnection resolve(String context) throws ProblemsException {
        return resolve(context, new Location(file.toString(), 0), "");
    }

    /**
     * Returns the connection of the current context, for a server that uses a remote decider: the CA is required, as anybody can get a certificate
     * from a public CA.
     *
     * @throws ProblemsException with all its problems
     */
    public ServerConnection resolveForWebhook() throws ProblemsException {
        ServerConnection connection = resolve();
        if (connection.authorities() == null) {
            throw new ProblemsException(
                    new Problem(
                            connection.where(),
                            "certificate-authority: required, the system's certificate authorities are not trusted for a remote decider"));
        }
        return connection;
    }

    private ServerConnection resolve(String contextName, Location requestedAt, String prefix) throws ProblemsException {
        List<Problem> problems = new ArrayList<>();
        SourceFields context = contexts.fields(contextName, problems);
        if (context == null) {
            throw new ProblemsException(
                    new Problem(requestedAt, prefix + "no context " + Quoted.of(contextName) + contexts.known()));
        }
        ConnectionReader read = new ConnectionReader(directory());
        SourceFields cluster = referred(context, "cluster", clusters, problems);
        if (cluster != null) {
            read.readCluster(cluster);
        }
        SourceFields user = referred(context, "user", users, problems);
        if (user != null) {
            read.readUser(user);
        }
        String namespace = context.string("namespace");
        if (!problems.isEmpty() || cluster == null || read.server == null) {
            throw new ProblemsException(problems);
        }
        return new ServerConnection(
                cluster.where(),
                read.server,
                read.authorities,
                read.serverName,
                read.certificate,
                read.key,
                read.token,
                namespace);
    }

    private static @Nullable SourceFields referred(
            SourceFields context, String key, NamedEntries entries, List<Problem> problems) {
        String name = context.requiredString(key);
        if (name.isEmpty()) {
            return null;
        }
        SourceFields fields = entries.fields(name, problems);
        if (fields == null) {
            context.problem(key, "no " + key + " " + Quoted.of(name) + entries.known());
        }
        return fields;
    }

    private Path directory() {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    @Override
    public String toString() {
        return "client configuration " + file;
    }

    /** The entries of one of the three lists. */
    private record NamedEntries(Map<String, SourceNode> byName, String path) {
        static NamedEntries read(SourceFields root, String list, String member, List<Problem> problems) {
            Map<String, SourceNode> byName = new LinkedHashMap<>();
            for (SourceFields entry : root.mappings(list)) {
                int before = problems.size();
                String name = entry.requiredString("name");
                entry.requiredMapping(member);
                SourceNode content = entry.node(member);
                if (problems.size() == before && content != null && byName.putIfAbsent(name, content) != null) {
                    entry.problem("name", "duplicate name " + Quoted.of(name));
                }
            }
            return new NamedEntries(byName, member);
        }

        @Nullable
        SourceFields fields(String name, List<Problem> problems) {
            SourceNode content = byName.get(name);
            return content == null ? null : SourceFields.of(content, path + " " + Quoted.of(name), problems);
        }

        SequencedSet<String> names() {
            return Collections.unmodifiableSequencedSet(new LinkedHashSet<>(byName.keySet()));
        }

        String known() {
            if (byName.isEmpty()) {
                return ", the file has none";
            }
            List<String> first =
                    byName.keySet().stream().limit(10).map(Quoted::of).toList();
            return ", expected one of " + String.join(", ", first) + (byName.size() > 10 ? ", …" : "");
        }
    }
}
