package io.plat.apiserver;

import io.plat.apiserver.discovery.RuntimeConfig;
import io.plat.apiserver.resource.ResourceCatalog;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.AuthorizerSource;
import io.plat.engine.policy.PluginModes;
import io.plat.engine.policy.PolicyLoader;
import io.plat.engine.policy.UsageException;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.webhook.CachingAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.review.ReviewVersion;
import io.plat.tls.files.FileWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags about who may do what, and about the group versions that the modes depend on. */
final class AuthorizationFlags {
    /** The name of the mode that asks a remote decider. */
    static final String WEBHOOK = "Webhook";

    private static final String RESTART = "restart";
    private static final String WATCH = "watch";

    final Flag<List<String>> alwaysAllowPaths;
    private final Flag<Optional<Path>> config;
    private final Flag<List<String>> modes;
    private final Flag<Optional<Path>> plugins;
    private final Flag<Optional<Path>> policyFile;
    private final Flag<Optional<String>> superUser;
    private final Flag<Optional<Path>> webhookConfig;
    private final Flag<ReviewVersion> webhookVersion;
    private final Flag<Duration> authorizedTtl;
    private final Flag<Duration> unauthorizedTtl;
    private final Flag<Duration> webhookTimeout;
    private final Flag<String> reload;
    private final Flag<Duration> reloadQuiet;
    private final Flag<List<String>> runtimeConfig;

    AuthorizationFlags(FlagSet flags) {
        flags.group("Authorization");
        modes = flags.list(
                "authorization-mode",
                FlagType.TEXT.labelled("MODE"),
                "AlwaysAllow, AlwaysDeny, ABAC, RBAC, Webhook or the name of a plug-in; of several, one that allows is"
                        + " enough. Required, unless --authorization-config is given.");
        config = flags.optional(
                "authorization-config",
                FlagType.PATH,
                "A file that lists the authorizers in place of --authorization-mode: several webhooks, each with"
                        + " conditions on what it is asked. It is reloaded when it changes.");
        plugins = flags.optional(
                "authorization-plugin-dir",
                FlagType.FOLDER,
                "A folder of jars whose plug-ins are modes too. They run inside the server and can do what it can.");
        alwaysAllowPaths = flags.list(
                "authorization-always-allow-paths",
                new FlagType<>("PATH", "a path such as /healthz or /openapi/*", AuthorizationFlags::pathPattern),
                "Paths that need no authorization; a * at the end stands for the rest.");
        policyFile = flags.optional(
                "authorization-policy-file", FlagType.PATH, "The policy of mode ABAC: one JSON object a line.");
        superUser = flags.optional(
                "authorization-rbac-super-user",
                FlagType.TEXT.labelled("USER"),
                "A user whom mode RBAC allows everything.");
        webhookConfig = flags.optional(
                "authorization-webhook-config-file",
                FlagType.PATH,
                "The client configuration file of mode Webhook: which decider to ask, over https.");
        webhookVersion = flags.value(
                "authorization-webhook-version",
                new FlagType<>(
                        "VERSION",
                        "authorization.plat.io/v1beta1, authorization.k8s.io/v1 or authorization.k8s.io/v1beta1",
                        ReviewVersion::of),
                ReviewVersion.PLAT_V1BETA1.apiVersion(),
                "The vocabulary of the questions that mode Webhook sends.");
        authorizedTtl = flags.value(
                "authorization-webhook-cache-authorized-ttl",
                FlagType.DURATION,
                "5m0s",
                "How long an allow of the webhook is remembered; 0s is not at all. Remembered decisions hold while the"
                        + " decider is away, and until one second after it is back at most.");
        unauthorizedTtl = flags.value(
                "authorization-webhook-cache-unauthorized-ttl",
                FlagType.DURATION,
                "30s",
                "How long a denial of the webhook is remembered; 0s is not at all.");
        webhookTimeout = flags.value(
                "authorization-webhook-timeout",
                FlagType.POSITIVE_DURATION,
                "3s",
                "The deadline of one decision of the webhook, retries included.");
        reload = flags.value(
                "policy-reload",
                FlagType.word(List.of(WATCH, RESTART)),
                RESTART,
                "Whether a changed policy file takes effect at once, or with the next start.");
        reloadQuiet = flags.value(
                "policy-reload-quiet",
                FlagType.DURATION,
                "2s",
                "How long a policy file that is written in place has to be left alone before it is read; one that is"
                        + " renamed into place is read at once.");
        flags.group("API");
        runtimeConfig = flags.list(
                "runtime-config",
                FlagType.TEXT.labelled("GROUP/VERSION=true"),
                "Group versions to switch on or off; api/all=true switches on all. GROUP/VERSION/RESOURCE=false"
                        + " switches off a type whose objects have no effect on this server, such as v1/resourcequotas.");
        flags.check(this::check);
    }

    private static Optional<String> pathPattern(String text) {
        boolean wildcardElsewhere = text.indexOf('*') >= 0 && text.indexOf('*') < text.length() - 1;
        return text.startsWith("/") && !wildcardElsewhere ? Optional.of(text) : Optional.empty();
    }

    private void check(FlagValues values, FlagProblems problems) {
        List<String> switches = new ArrayList<>();
        RuntimeConfig served = runtimeConfig(values, switches);
        switches.addAll(served.problems(ResourceCatalog.builtIn()));
        switches.forEach(problem -> problems.add(runtimeConfig, problem));
        if (values.given(config)) {
            checkAlone(values, problems);
            return;
        }
        checkModes(values, problems);
        require(values, problems, served, RbacAuthorizer.MODE, "rbac.authorization.plat.io/v1alpha1");
        require(values, problems, served, WEBHOOK, ReviewVersion.PLAT_V1BETA1.apiVersion());
    }

    /** What the file says itself must not be said by flags too. */
    private void checkAlone(FlagValues values, FlagProblems problems) {
        for (Flag<?> other : List.of(
                modes, webhookConfig, webhookVersion, authorizedTtl, unauthorizedTtl, webhookTimeout, plugins)) {
            if (values.given(other)) {
                problems.add(other, "not together with --authorization-config");
            }
        }
    }

    private void checkModes(FlagValues values, FlagProblems problems) {
        options(values).ifPresent(options -> {
            try {
                Map<String, AuthorizerSource> sources = new HashMap<>(sourcesToCome());
                sources.putAll(plugins(values).sources());
                PolicyLoader.of(options, sources, InstantSource.system());
            } catch (UsageException e) {
                e.problems().forEach(problem -> problems.addLine(problem.toString()));
            }
        });
    }

    private void require(
            FlagValues values, FlagProblems problems, RuntimeConfig served, String mode, String groupVersion) {
        if (values.find(modes).orElse(List.of()).contains(mode) && !served.serves(groupVersion)) {
            problems.add(modes, "mode \"" + mode + "\" needs its API: add --runtime-config=" + groupVersion + "=true");
        }
    }

    /** The modes whose authorizers are made at the start: only their names matter to a check. */
    private static Map<String, AuthorizerSource> sourcesToCome() {
        AuthorizerSource later = () -> {
            throw new IllegalStateException("a check opens nothing");
        };
        return Map.of(RbacAuthorizer.MODE, later, WEBHOOK, later);
    }

    /** What the flags say about modes and their files; nothing where one of them has the wrong form. */
    Optional<AuthorizationOptions> options(FlagValues values) {
        Optional<List<String>> chosen = values.find(modes);
        Optional<Optional<Path>> policy = values.find(policyFile);
        Optional<Optional<Path>> webhook = values.find(webhookConfig);
        Optional<Optional<String>> privileged = values.find(superUser);
        if (chosen.isEmpty() || policy.isEmpty() || webhook.isEmpty() || privileged.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new AuthorizationOptions(
                chosen.get(),
                policy.get().orElse(null),
                List.of(),
                privileged.get().orElse(""),
                webhook.get().orElse(null)));
    }

    /** The file that lists the authorizers, or null where modes do. */
    @Nullable
    Path config(FlagValues values) {
        return values.get(config).orElse(null);
    }

    /** The modes that plug-ins make; nothing is read yet. */
    PluginModes plugins(FlagValues values) {
        return new PluginModes(
                values.find(plugins).flatMap(folder -> folder).orElse(null),
                values.find(modes).orElse(List.of()));
    }

    /** How mode Webhook asks; only where it is chosen. */
    WebhookMode.Choices remote(FlagValues values) {
        return new WebhookMode.Choices(
                values.get(webhookConfig).orElseThrow(),
                new WebhookAuthorizer.Settings(values.get(webhookVersion), values.get(webhookTimeout)),
                new CachingAuthorizer.Settings(values.get(authorizedTtl), values.get(unauthorizedTtl)));
    }

    /** The super user, or null. */
    @Nullable
    String superUser(FlagValues values) {
        return values.get(superUser).orElse(null);
    }

    /** How policy files are watched. */
    FileWatch.Settings watching(FlagValues values) {
        return FileWatch.Settings.prompt(values.get(reloadQuiet));
    }

    /** Whether changed policy files take effect without a restart. */
    boolean reloads(FlagValues values) {
        return values.get(reload).equals(WATCH);
    }

    /** What is switched on. */
    RuntimeConfig runtimeConfig(FlagValues values) {
        return runtimeConfig(values, new ArrayList<>());
    }

    private RuntimeConfig runtimeConfig(FlagValues values, List<String> problems) {
        return RuntimeConfig.parse(String.join(",", values.find(runtimeConfig).orElse(List.of())), problems);
    }
}
