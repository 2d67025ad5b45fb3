package io.plat.authorization;

import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.PluginModes;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Common authorization flags of servers: modes, their files, the webhook, and reloads. */
public final class PolicyFlags {
    private static final String WATCH = "watch";
    private static final List<String> VERSIONS =
            Arrays.stream(ReviewVersion.values()).map(ReviewVersion::apiVersion).toList();

    private final Flag<List<String>> modes;
    private final Flag<Optional<Path>> config;
    private final Flag<Optional<Path>> plugins;
    private final Flag<Optional<Path>> policyFile;
    private final Flag<Optional<String>> superUser;
    private final Flag<Boolean> defaultRoles;
    private final Flag<Optional<Path>> webhookConfig;
    private final Flag<ReviewVersion> webhookVersion;
    private final Flag<Duration> authorizedTtl;
    private final Flag<Duration> unauthorizedTtl;
    private final Flag<Duration> webhookTimeout;
    private final Flag<String> reload;
    private final Flag<Duration> reloadQuiet;

    public PolicyFlags(FlagSet flags) {
        modes = flags.list("authorization-mode", FlagType.TEXT);
        config = flags.optional("authorization-config", FlagType.PATH);
        plugins = flags.optional("authorization-plugin-dir", FlagType.DIRECTORY);
        policyFile = flags.optional("authorization-policy-file", FlagType.PATH);
        superUser = flags.optional("authorization-rbac-super-user", FlagType.TEXT);
        defaultRoles = flags.toggle("authorization-rbac-default-roles", FlagType.either("kubernetes", "none"));
        webhookConfig = flags.optional("authorization-webhook-config-file", FlagType.PATH);
        webhookVersion = flags.value(
                "authorization-webhook-version",
                new FlagType<>("one of " + String.join(", ", VERSIONS), ReviewVersion::of));
        authorizedTtl = flags.value("authorization-webhook-cache-authorized-ttl", FlagType.DURATION);
        unauthorizedTtl = flags.value("authorization-webhook-cache-unauthorized-ttl", FlagType.DURATION);
        webhookTimeout = flags.value("authorization-webhook-timeout", FlagType.POSITIVE_DURATION);
        reload = flags.value("policy-reload", FlagType.word(List.of(WATCH, "restart")));
        reloadQuiet = flags.value("policy-reload-quiet", FlagType.DURATION);
        flags.check(this::rejectReplacedFlags);
        flags.check(this::checkDefaultRoles);
    }

    /** Refuses default roles that no mode would use. */
    private void checkDefaultRoles(FlagValues values, FlagProblems problems) {
        if (values.isSet(defaultRoles)
                && defaultRoles(values)
                && modes(values)
                        .filter(given -> !given.isEmpty() && !given.contains(RbacAuthorizer.MODE))
                        .isPresent()) {
            problems.add(defaultRoles, "requires mode \"" + RbacAuthorizer.MODE + "\" in " + modes.dashed());
        }
    }

    public Flag<?> modesFlag() {
        return modes;
    }

    /** Rejects flags that duplicate settings of the configuration file. */
    private void rejectReplacedFlags(FlagValues values, FlagProblems problems) {
        if (values.isSet(config)) {
            List.of(modes, webhookConfig, webhookVersion, authorizedTtl, unauthorizedTtl, webhookTimeout).stream()
                    .filter(values::isSet)
                    .forEach(flag -> problems.add(flag, "cannot be combined with " + config.dashed()));
        }
    }

    /** Returns the authorization configuration file, or null if modes are given instead. */
    public @Nullable Path config(FlagValues values) {
        return values.findOptional(config).orElse(null);
    }

    /** Returns the modes; empty if one is malformed. */
    public Optional<List<String>> modes(FlagValues values) {
        return values.find(modes);
    }

    /** Returns the modes of plug-ins, without reading the directory. */
    public PluginModes plugins(FlagValues values) {
        return new PluginModes(
                values.findOptional(plugins).orElse(null),
                config(values) == null ? modes(values).orElse(List.of()) : null);
    }

    /**
     * Returns the modes and their files; malformed values count as absent.
     *
     * @param rbacPaths files and directories of role objects
     * @param rbacKubeconfig client configuration file of an API server with role objects, or null
     * @param addsRoles whether Kubernetes' default role objects are added to those of the paths
     */
    public AuthorizationOptions options(
            FlagValues values, List<Path> rbacPaths, @Nullable Path rbacKubeconfig, boolean addsRoles) {
        return new AuthorizationOptions(
                modes(values).orElse(List.of()),
                values.findOptional(policyFile).orElse(null),
                rbacPaths,
                rbacKubeconfig,
                superUser(values),
                values.findOptional(webhookConfig).orElse(null),
                addsRoles);
    }

    /** Returns the user with full access in RBAC mode, or {@code ""}. */
    public String superUser(FlagValues values) {
        return values.findOptional(superUser).orElse("");
    }

    /** Returns whether Kubernetes' default role objects are added; false if the value is malformed. */
    public boolean defaultRoles(FlagValues values) {
        return values.find(defaultRoles).orElse(false);
    }

    /** Returns the settings of mode Webhook; empty if it has none. */
    public Optional<WebhookMode.Options> webhook(FlagValues values) {
        return values.get(webhookConfig)
                .map(file -> new WebhookMode.Options(
                        file,
                        new WebhookAuthorizer.Settings(values.get(webhookVersion), values.get(webhookTimeout)),
                        new CachingAuthorizer.Settings(values.get(authorizedTtl), values.get(unauthorizedTtl))));
    }

    /** Returns whether changed policy files take effect without a restart. */
    public boolean reloads(FlagValues values) {
        return values.get(reload).equals(WATCH);
    }

    public FileWatch.Settings watching(FlagValues values) {
        return FileWatch.Settings.prompt(values.get(reloadQuiet));
    }
}
