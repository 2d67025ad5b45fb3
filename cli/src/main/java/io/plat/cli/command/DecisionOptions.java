package io.plat.cli.command;

import io.plat.cli.output.ProgressLine;
import io.plat.cli.process.CommandException;
import io.plat.cli.request.AccessRequestParser;
import io.plat.cli.request.AccessRequestParser.AccessRequest;
import io.plat.cli.request.AccessRequestParser.Scope;
import io.plat.cli.request.DecisionSource;
import io.plat.cli.request.PolicyFileSource;
import io.plat.cli.request.ResourceTypes;
import io.plat.cli.request.ServerSource;
import io.plat.cli.request.SubjectCheck;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.ServerChoice;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.PolicyLoader;
import io.plat.engine.policy.PolicySet;
import io.plat.engine.rbac.defaults.KubernetesRoles;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.UserInfo;
import io.plat.review.request.RequestInfoParser;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags of a command that requests decisions: the source of decisions, and the strictness of names. */
public final class DecisionOptions {
    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--strict")
    private boolean strict;

    public ConnectionOptions connection() {
        return connection;
    }

    /** Returns whether policy files are used instead of a server. */
    public boolean offline() {
        return policy.isSet();
    }

    /** Returns whether unknown names are errors. */
    public boolean strict() {
        return strict;
    }

    /**
     * Returns the source of decisions.
     *
     * @param indexed whether policy files are indexed: for one or two requests an index costs more than it saves
     * @throws CommandException if it cannot be used
     */
    public DecisionSource source(Program program, boolean indexed) {
        if (policy.isSet()) {
            String namespace = program.namespace(connection);
            return new PolicyFileSource(policy.policy(program, indexed).authorizer(), namespace, program.trace());
        }
        ServerChoice choice = program.serverChoice(
                connection, "policy files (--authorization-rbac-path, --authorization-policy-file)");
        return new ServerSource(choice.connect(program.trace()), choice.namespace());
    }

    /** Returns the name of a source: the server's URL, or the policy files. */
    public String origin(DecisionSource source) {
        return source instanceof ServerSource server
                ? server.connection().server().toString()
                : policy.files();
    }

    /** Rejects invalid arguments before any file or server is used. */
    public void check(String verb, String target, ScopeOptions scope) {
        Objects.requireNonNull(
                scope.selecting(new AccessRequestParser(ResourceTypes.builtIn()).parse(verb, target, scope.scope(""))));
    }

    /**
     * Parses a request.
     *
     * @throws CommandException if it is invalid, or has unknown names under {@code --strict}
     */
    public AccessRequest request(DecisionSource source, String verb, String target, ScopeOptions scope) {
        AccessRequestParser parser = new AccessRequestParser(ResourceTypes.builtIn(), source.additionalTypes());
        AccessRequest request = scope.selecting(parser.parse(verb, target, scope.scope(source.namespace())));
        refuse(request.unknown());
        return request;
    }

    /** Throws for an unknown user or group, under {@code --strict}. */
    public void refuseUnknown(DecisionSource source, UserInfo user, List<String> groups) {
        if (strict) {
            refuse(SubjectCheck.unknown(source, user, groups));
        }
    }

    /** Throws for a denied user without groups, under {@code --strict}: a server has no list of users, so it may be misspelled. */
    public void requireKnownUser(DecisionSource source, UserInfo user, List<String> groups, boolean allowed) {
        if (source instanceof ServerSource
                && !allowed
                && groups.isEmpty()
                && !user.name().startsWith("system:")) {
            refuse(List.of("whether there is a user " + Quoted.of(user.name())
                    + " is unknown, as a server has no list of users; give the user's groups with --as-group"));
        }
    }

    /** Throws for unknown names, under {@code --strict}. */
    public void refuse(List<String> unknown) {
        if (strict && !unknown.isEmpty()) {
            throw CommandException.unknown("--strict: " + String.join("\n--strict: ", unknown));
        }
    }

    /** Flags for policy files instead of a server, with the names of the servers' flags. */
    static final class PolicyOptions {
        @Mixin
        PolicyFileOptions given = new PolicyFileOptions();

        @Option(names = "--authorization-rbac-super-user", paramLabel = "USER")
        String superUser = "";

        /** Returns whether files are to be used. */
        public boolean isSet() {
            return given.isSet() || !superUser.isEmpty();
        }

        String files() {
            Stream<String> roles = given.defaultRoles ? Stream.of(KubernetesRoles.LATEST.source()) : Stream.empty();
            return Stream.concat(given.paths().stream().map(Path::toString), roles)
                    .collect(Collectors.joining(", "));
        }

        /**
         * Returns the policy of the files, as a decider with these flags loads it.
         *
         * @param plat receives the ignored parts
         * @param indexed whether there are enough requests for an index
         * @throws CommandException if a file cannot be used
         */
        public PolicySet policy(Program plat, boolean indexed) {
            List<String> modes = new ArrayList<>();
            if (given.policyFile != null) {
                modes.add(AbacAuthorizer.MODE);
            }
            if (!given.rbacPaths.isEmpty() || given.policyFile == null || given.defaultRoles) {
                modes.add(RbacAuthorizer.MODE);
            }
            AuthorizationOptions options = new AuthorizationOptions(
                    modes, given.policyFile, given.rbacPaths, null, superUser, null, given.defaultRoles);
            List<String> problems = options.problems(Set.of());
            if (!problems.isEmpty()) {
                throw CommandException.usage(String.join("\n", problems));
            }
            try {
                PolicyLoader loader = PolicyLoader.of(options, Map.of(), InstantSource.system());
                PolicySet policy;
                try (ProgressLine _ = plat.progress("loading", -1)) {
                    policy = indexed ? loader.load() : loader.loadUnindexed();
                }
                plat.report().warn(policy.warnings());
                return policy;
            } catch (ProblemsException e) {
                throw CommandException.of(e);
            }
        }
    }

    /** The flags for namespace and subresource. */
    public static final class ScopeOptions {
        /** Label selectors in Kubernetes' syntax. */
        private static final Pattern LABELS = labels();

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE")
        public @Nullable String namespace;

        @Option(names = {"-A", "--all-namespaces"})
        public boolean allNamespaces;

        @Option(names = "--subresource", paramLabel = "NAME")
        @Nullable
        String subresource;

        /** Field selector as in a query; {@code ""} for all objects. */
        public String fieldSelector = "";

        /** Label selector as in a query; {@code ""} for all objects. */
        public String labelSelector = "";

        /** Returns a request for the selected objects only. */
        AccessRequest selecting(AccessRequest request) {
            if (fieldSelector.isEmpty() && labelSelector.isEmpty()) {
                return request;
            }
            if (RequestInfoParser.parseFields(fieldSelector).isEmpty()) {
                throw CommandException.usage(
                        "--field-selector: expected FIELD=VALUE or FIELD!=VALUE, separated by commas, found "
                                + Quoted.of(fieldSelector));
            }
            if (!LABELS.matcher(labelSelector).matches()) {
                throw CommandException.usage("--label-selector: expected requirements such as app=web, tier!=db, env in"
                        + " (test,dev), team, !old, separated by commas, found " + Quoted.of(labelSelector));
            }
            if (!(request.access() instanceof ResourceAttributes all)) {
                throw CommandException.usage("--field-selector, --label-selector: require a resource");
            }
            return new AccessRequest(
                    new ResourceAttributes(
                            all.namespace(),
                            all.verb(),
                            all.group(),
                            all.version(),
                            all.resource(),
                            all.subresource(),
                            all.name(),
                            selector(fieldSelector),
                            selector(labelSelector)),
                    request.warnings(),
                    request.unknown());
        }

        private static Pattern labels() {
            String word = "[A-Za-z0-9](?:[\\w.-]{0,61}[A-Za-z0-9])?";
            String values = "\\(\\s*(?:W)?(?:\\s*,\\s*(?:W)?)*\\s*\\)";
            String key = "(?:[a-z0-9.-]{1,253}/)?W";
            String requirement =
                    "\\s*(?:!\\s*K|K(?:\\s*(?:==?|!=)\\s*(?:W)?|\\s*[<>]\\s*\\d+|\\s+(?:not)?in\\s*V)?)\\s*";
            String one = requirement.replace("K", key).replace("V", values).replace("W", word);
            return Pattern.compile("(?:" + one + "(?:," + one + ")*)?");
        }

        private static @Nullable SelectorAttributes selector(String raw) {
            return raw.isEmpty() ? null : new SelectorAttributes(raw, List.of());
        }

        public Scope scope(String defaultNamespace) {
            if (allNamespaces && namespace != null) {
                throw CommandException.usage("--all-namespaces: cannot be combined with --namespace");
            }
            if (namespace != null && namespace.isEmpty()) {
                throw CommandException.usage("--namespace: expected a name, found \"\"; --all-namespaces means all");
            }
            return new Scope(
                    namespace == null ? defaultNamespace : namespace, namespace != null, allNamespaces, subresource);
        }

        /** Returns a note that the namespace of a request is the default one, in a list; none if it was given. */
        public List<String> assumed(String defaultNamespace, AccessAttributes access) {
            return namespace == null
                            && !allNamespaces
                            && access instanceof ResourceAttributes resource
                            && !resource.resource().equals("namespaces")
                            && resource.namespace().equals(defaultNamespace)
                    ? List.of("checked in namespace " + Quoted.of(defaultNamespace) + "; -n names another one")
                    : List.of();
        }

        /** Returns these flags, or the defaults if none of these is set. */
        public ScopeOptions orElse(ScopeOptions defaults) {
            if (namespace == null && !allNamespaces) {
                namespace = defaults.namespace;
                allNamespaces = defaults.allNamespaces;
            }
            return this;
        }
    }
}
