package io.plat.decider;

import io.plat.decider.log.DecisionLogSettings;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.PluginModes;
import io.plat.engine.webhook.CachingAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.http.HttpLimits;
import io.plat.http.HttpsSettings;
import io.plat.http.WebOrigin;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.review.ReviewVersion;
import io.plat.tls.files.FileWatch;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The decider's flags, and what a command line makes of them. Names are fixed by the contract. */
final class DeciderFlags {
    private static final String WATCH = "watch";
    private static final String RESTART = "restart";
    private static final String ANY = "*";
    private static final List<String> VERSIONS =
            Arrays.stream(ReviewVersion.values()).map(ReviewVersion::apiVersion).toList();

    private final FlagSet set;
    private final Flag<InetAddress> bindAddress;
    private final Flag<Integer> securePort;
    private final Flag<Path> certificates;
    private final Flag<Path> key;
    private final Flag<Path> clientAuthorities;
    private final Flag<List<String>> allowedClients;
    private final Flag<Integer> inFlight;
    private final Flag<List<WebOrigin>> allowedOrigins;
    private final Flag<List<String>> modes;
    private final Flag<Optional<Path>> plugins;
    private final Flag<Optional<Path>> policyFile;
    private final Flag<List<Path>> rbacPaths;
    private final Flag<Optional<Path>> rbacKubeconfig;
    private final Flag<Duration> rolesStaleness;
    private final Flag<Optional<String>> superUser;
    private final Flag<Optional<Path>> webhookConfig;
    private final Flag<String> webhookVersion;
    private final Flag<Duration> authorizedTtl;
    private final Flag<Duration> unauthorizedTtl;
    private final Flag<Duration> webhookTimeout;
    private final Flag<String> policyReload;
    private final Flag<Duration> reloadQuiet;
    private final TellingFlags telling;
    private final CandidateFlags candidate;
    private final DecisionLogFlags decisionLog;

    DeciderFlags(String version) {
        set = new FlagSet(new FlagSet.Program(
                "decider",
                version,
                "Answers access reviews over mutual TLS: may this user do this? Existing servers ask it as their"
                        + " authorization webhook."));
        set.group("Serving");
        bindAddress = set.value("bind-address", FlagType.ADDRESS, "127.0.0.1", "The local address to listen on.");
        securePort = set.value("secure-port", FlagType.PORT, "8443", "The port to listen on; 0 picks a free one.");
        certificates = set.required(
                "tls-cert-file", FlagType.PATH, "The server's certificate chain, PEM. Read again when it changes.");
        key = set.required("tls-private-key-file", FlagType.PATH, "The certificate's key, PEM.");
        clientAuthorities = set.required(
                "client-ca-file",
                FlagType.PATH,
                "Certificates of the authorities that clients' certificates must come from, PEM.");
        allowedClients = set.list(
                "allowed-client-names",
                FlagType.TEXT.labelled("NAME"),
                "Common names or DNS names of the clients that may ask, email:NAME or URI:NAME for other alternative"
                        + " names; * for any certificate of the authorities. Required unless the server listens on a"
                        + " loopback address, where any is the default.");
        inFlight = set.value(
                "max-requests-inflight",
                FlagType.COUNT,
                "400",
                "How many reviews may be underway at a time; more are answered 429. 0 is no limit.");
        allowedOrigins = set.list(
                "allowed-origins",
                FlagType.ORIGIN,
                "Origins other than the server's own whose pages may send unsafe requests, upgrades and streams; those"
                        + " of all others are answered 403.");
        set.group("Deciding");
        modes = set.list(
                "authorization-mode",
                FlagType.TEXT.labelled("MODE"),
                "What decides: AlwaysAllow, AlwaysDeny, ABAC, RBAC, Webhook or the name of a plug-in; one of them"
                        + " admitting is enough. Required.");
        plugins = set.optional(
                "authorization-plugin-dir",
                FlagType.FOLDER,
                "A folder of jars whose plug-ins are modes too. They run inside the server and can do what it can.");
        policyFile = set.optional(
                "authorization-policy-file", FlagType.PATH, "The policy of mode ABAC, one JSON object a line.");
        rbacPaths = set.repeated(
                "authorization-rbac-path",
                FlagType.PATH.labelled("PATH"),
                "Role objects of mode RBAC: a YAML or JSON manifest, or a folder of them.");
        rbacKubeconfig = set.optional(
                "authorization-rbac-kubeconfig",
                FlagType.PATH,
                "The client configuration file of an API server whose role objects mode RBAC follows, beside those of"
                        + " files.");
        rolesStaleness = set.value(
                "roles-staleness-limit",
                FlagType.POSITIVE_DURATION,
                "5m",
                "How long these role objects decide after their server last confirmed that they are current; then"
                        + " nothing is allowed by them.");
        superUser = set.optional(
                "authorization-rbac-super-user",
                FlagType.TEXT.labelled("USER"),
                "A user whom mode RBAC allows everything.");
        policyReload = set.value(
                "policy-reload",
                FlagType.word(List.of(WATCH, RESTART)),
                WATCH,
                "Whether a changed policy takes effect when it changes, or at the next start.");
        reloadQuiet = set.value(
                "policy-reload-quiet",
                FlagType.DURATION,
                "2s",
                "How long a policy file that is written in place has to be left alone before it is read; one that is"
                        + " renamed into place is read at once.");
        telling = new TellingFlags(set);
        set.group("Asking a further decider");
        webhookConfig = set.optional(
                "authorization-webhook-config-file",
                FlagType.PATH,
                "The client configuration file of the decider that mode Webhook asks.");
        webhookVersion = set.value(
                "authorization-webhook-version",
                FlagType.word(VERSIONS).labelled("VERSION"),
                ReviewVersion.PLAT_V1BETA1.apiVersion(),
                "The version of the reviews that are sent: " + String.join(", ", VERSIONS) + ".");
        authorizedTtl = set.value(
                "authorization-webhook-cache-authorized-ttl",
                FlagType.DURATION,
                "5m",
                "How long an answer that allows is kept; 0s keeps none. Kept answers hold while the decider is away,"
                        + " and until one second after it is back at most.");
        unauthorizedTtl = set.value(
                "authorization-webhook-cache-unauthorized-ttl",
                FlagType.DURATION,
                "30s",
                "How long an answer that does not allow is kept; 0s keeps none.");
        webhookTimeout = set.value(
                "authorization-webhook-timeout",
                FlagType.POSITIVE_DURATION,
                "3s",
                "How long one remote decision may take, retries included.");
        candidate = new CandidateFlags(set);
        decisionLog = new DecisionLogFlags(set);
        set.check((values, problems) -> new OptionsCheck(this).check(values, problems));
        set.check(this::requireClients);
    }

    /** Whoever is reached by others names those that may ask. */
    private void requireClients(FlagValues values, FlagProblems problems) {
        if (values.find(bindAddress)
                        .filter(address -> !address.isLoopbackAddress())
                        .isPresent()
                && values.find(allowedClients).filter(List::isEmpty).isPresent()) {
            problems.add(
                    allowedClients,
                    "missing, expected the names of clients, or * for any certificate of --client-ca-file, as "
                            + "--bind-address is not a loopback address");
        }
    }

    FlagSet set() {
        return set;
    }

    Flag<List<String>> modes() {
        return modes;
    }

    HttpsSettings https(FlagValues values) {
        return new HttpsSettings(
                values.get(bindAddress),
                values.get(securePort),
                HttpLimits.DEFAULT,
                true,
                Set.copyOf(values.get(allowedOrigins)));
    }

    TlsFiles tls(FlagValues values) {
        return new TlsFiles(values.get(certificates), values.get(key), values.get(clientAuthorities));
    }

    AllowedClients allowedClients(FlagValues values) {
        List<String> names = values.get(allowedClients);
        return new AllowedClients(names.contains(ANY) ? Set.of() : Set.copyOf(names));
    }

    int inFlight(FlagValues values) {
        return values.get(inFlight);
    }

    /** The authorization flags; those whose values have a wrong form count as not given. */
    AuthorizationOptions authorization(FlagValues values) {
        return new AuthorizationOptions(
                values.find(modes).orElse(List.of()),
                values.find(policyFile).flatMap(file -> file).orElse(null),
                values.find(rbacPaths).orElse(List.of()),
                values.find(rbacKubeconfig).flatMap(file -> file).orElse(null),
                values.find(superUser).flatMap(user -> user).orElse(""),
                values.find(webhookConfig).flatMap(file -> file).orElse(null));
    }

    /** The policy that is tried out, or null for none. */
    @Nullable
    AuthorizationOptions candidate(FlagValues values) {
        return candidate.options(values, authorization(values));
    }

    /** The modes that plug-ins make; nothing is read yet. */
    PluginModes plugins(FlagValues values) {
        return new PluginModes(
                values.find(plugins).flatMap(folder -> folder).orElse(null),
                values.find(modes).orElse(List.of()));
    }

    /** How a further decider is asked, or null where none is. */
    WebhookMode.@Nullable Choices remote(FlagValues values) {
        return values.get(webhookConfig)
                .map(file -> new WebhookMode.Choices(
                        file,
                        new WebhookAuthorizer.Settings(
                                ReviewVersion.of(values.get(webhookVersion)).orElseThrow(), values.get(webhookTimeout)),
                        new CachingAuthorizer.Settings(values.get(authorizedTtl), values.get(unauthorizedTtl))))
                .orElse(null);
    }

    /** How policy files are watched. */
    FileWatch.Settings watching(FlagValues values) {
        return FileWatch.Settings.prompt(values.get(reloadQuiet));
    }

    /** How old role objects of a server may be to be decided by. */
    Duration rolesStaleness(FlagValues values) {
        return values.get(rolesStaleness);
    }

    boolean watchesPolicy(FlagValues values) {
        return values.get(policyReload).equals(WATCH);
    }

    /** Who is told why. */
    Telling telling(FlagValues values) {
        return telling.telling(values);
    }

    /** The decision log that is wanted, or null for none. */
    @Nullable
    DecisionLogSettings decisionLog(FlagValues values) {
        return decisionLog.settings(values);
    }

    /** The files of the server's side of TLS. */
    record TlsFiles(Path certificates, Path key, Path clientAuthorities) {
        /** The flag that names a file. */
        String flagOf(String file) {
            if (file.equals(key.toString())) {
                return "--tls-private-key-file";
            }
            return file.equals(clientAuthorities.toString()) ? "--client-ca-file" : "--tls-cert-file";
        }
    }
}
