package io.plat.decider;

import io.plat.authorization.PolicyFlags;
import io.plat.decider.DecisionLog.DecisionLogSettings;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.decided.SpecField;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.fronts.ClientIdentity;
import io.plat.http.HttpLimits;
import io.plat.http.HttpsSettings;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.lines.LogFile;
import io.plat.http.process.ListenFlags;
import io.plat.tls.ServerTls;
import io.plat.tls.files.FileWatch;
import io.plat.tls.pem.PemSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Flags of the decider and their values. Names are fixed by the contract. */
final class DeciderFlags {
    private static final String ANY = "*";
    private static final String FULL = "full";

    private final FlagSet set;
    final ListenFlags listen;
    private final Flag<Path> clientAuthorities;
    private final Flag<List<String>> allowedClients;
    final Flag<Integer> inFlight;
    final PolicyFlags policy;
    private final Flag<List<Path>> rbacPaths;
    private final Flag<Optional<Path>> rbacKubeconfig;
    final Flag<Duration> rolesStaleness;
    private final Flag<String> reasons;
    private final Flag<List<String>> explain;
    private final Flag<Optional<Path>> candidateFile;
    private final Flag<List<Path>> candidatePaths;
    final DecisionLogFlags decisionLog;
    final CheckFlags checks;
    final AuthZenFlags authZen;

    DeciderFlags(String version) {
        set = FlagSet.of(DeciderFlags.class, "decider", version);
        listen = new ListenFlags(set);
        clientAuthorities = set.required("client-ca-file", FlagType.PATH);
        allowedClients = set.list("allowed-client-names", FlagType.TEXT);
        inFlight = set.value("max-requests-inflight", FlagType.COUNT);
        policy = new PolicyFlags(set);
        rbacPaths = set.repeated("authorization-rbac-path", FlagType.PATH);
        rbacKubeconfig = set.optional("authorization-rbac-kubeconfig", FlagType.PATH);
        rolesStaleness = set.value("roles-staleness-limit", FlagType.POSITIVE_DURATION);
        reasons = set.value("reasons", FlagType.word(List.of(FULL, "none")));
        explain = set.list("explain-client-names", FlagType.TEXT);
        candidateFile = set.optional("candidate-policy-file", FlagType.PATH);
        candidatePaths = set.repeated("candidate-rbac-path", FlagType.PATH);
        decisionLog = new DecisionLogFlags(set);
        checks = new CheckFlags(set);
        authZen = new AuthZenFlags(set);
        set.check(this::checkModes);
        set.check(this::requireClients);
    }

    /** Reports contradictory modes and files. */
    private void checkModes(FlagValues values, FlagProblems problems) {
        if (policy.modes(values).isEmpty()) {
            // Its value is invalid, so the required flags are unknown.
            return;
        }
        AuthorizationOptions options = authorization(values);
        (policy.config(values) == null ? options : options.withAvailableModes(List.of()))
                .problems(policy.plugins(values).sources().keySet())
                .forEach(problems::addLine);
    }

    /** Requires the names of allowed clients if the server is reachable from other machines. */
    private void requireClients(FlagValues values, FlagProblems problems) {
        if (listen.address(values)
                        .filter(address -> !address.isLoopbackAddress())
                        .isPresent()
                && values.find(allowedClients).filter(List::isEmpty).isPresent()) {
            problems.add(
                    allowedClients,
                    "required, expected the names of clients, or * for any certificate of --client-ca-file, as "
                            + "--bind-address is not a loopback address");
        }
    }

    FlagSet set() {
        return set;
    }

    HttpsSettings https(FlagValues values) {
        return listen.settings(values, HttpLimits.DEFAULT, true);
    }

    ServerTls.Config tls(FlagValues values) {
        return ServerTls.Config.requiring(
                PemSource.file(listen.certificate(values)),
                PemSource.file(listen.key(values)),
                PemSource.file(values.get(clientAuthorities)));
    }

    /** Returns the names of allowed clients; empty for all that the handshake accepts. */
    Set<String> allowedClients(FlagValues values) {
        List<String> names = values.get(allowedClients);
        return names.contains(ANY) ? Set.of() : Set.copyOf(names);
    }

    /** Returns the authorization options; malformed values count as absent. */
    AuthorizationOptions authorization(FlagValues values) {
        return policy.options(
                values,
                values.find(rbacPaths).orElse(List.of()),
                values.findOptional(rbacKubeconfig).orElse(null),
                policy.defaultRoles(values));
    }

    /**
     * Returns the options of the candidate policy, or null for none. They are those of the policy in effect with the files of one or both modes
     * replaced; a missing mode is added.
     */
    @Nullable
    AuthorizationOptions candidate(FlagValues values) {
        AuthorizationOptions real = authorization(values);
        @Nullable Path file = values.get(candidateFile).orElse(null);
        List<Path> paths = values.get(candidatePaths);
        if (file == null && paths.isEmpty()) {
            return null;
        }
        Set<String> modes = new LinkedHashSet<>(real.modes());
        if (file != null) {
            modes.add(AbacAuthorizer.MODE);
        }
        if (!paths.isEmpty()) {
            modes.add(RbacAuthorizer.MODE);
        }
        return new AuthorizationOptions(
                List.copyOf(modes),
                file == null ? real.policyFile() : file,
                paths.isEmpty() ? real.rbacPaths() : paths,
                real.rbacKubeconfig(),
                real.rbacSuperUser(),
                real.webhookConfigFile(),
                real.defaultRoles());
    }

    /** Returns the settings for watching policy files; empty if they are not watched. */
    Optional<FileWatch.Settings> watching(FlagValues values) {
        return policy.reloads(values) ? Optional.of(policy.watching(values)) : Optional.empty();
    }

    ClientIdentity.ReasonPolicy reasonPolicy(FlagValues values) {
        return new ClientIdentity.ReasonPolicy(values.get(reasons).equals(FULL), Set.copyOf(values.get(explain)));
    }

    static final class DecisionLogFlags {
        /** The flag to which problems with the log file are attributed. */
        static final String PATH = "--decision-log-path";

        private static final String BLOCKING = "blocking";

        private final Flag<Optional<Path>> path;
        private final Flag<String> mode;
        private final Flag<Integer> maxSize;
        private final Flag<Integer> maxBackup;
        private final Flag<List<SpecField>> mask;

        DecisionLogFlags(FlagSet set) {
            path = set.optional("decision-log-path", FlagType.PATH);
            mode = set.value("decision-log-mode", FlagType.word(List.of("batch", BLOCKING)));
            maxSize = set.value("decision-log-maxsize", FlagType.number(1, 1 << 20));
            maxBackup = set.value("decision-log-maxbackup", FlagType.COUNT);
            mask = set.list("decision-log-mask", new FlagType<>("one of " + SpecField.paths(), SpecField::of));
            set.checkRequires(path, mode, maxSize, maxBackup, mask);
        }

        /** Returns the settings of the log, or null for none. */
        @Nullable
        DecisionLogSettings settings(FlagValues values) {
            return values.get(path)
                    .map(file -> new DecisionLogSettings(
                            new LogFile(file, (long) values.get(maxSize) << 20, values.get(maxBackup), Duration.ZERO),
                            values.get(mode).equals(BLOCKING),
                            Set.copyOf(values.get(mask))))
                    .orElse(null);
        }
    }
}
