package io.plat.apiserver;

import io.plat.apiserver.discovery.RuntimeConfig;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.authorization.PolicyFlags;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.AuthorizerSource;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.review.ReviewVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Flags for authorization, and for the API group versions that the modes depend on. */
final class AuthorizationFlags {
    /** Name of the mode that queries a remote webhook. */
    final Flag<List<String>> alwaysAllowPaths;

    final PolicyFlags policy;
    private final Flag<List<String>> runtimeConfig;

    AuthorizationFlags(FlagSet flags) {
        policy = new PolicyFlags(flags);
        alwaysAllowPaths = flags.list(
                "authorization-always-allow-paths",
                new FlagType<>("a path such as /healthz or /openapi/*", AuthorizationFlags::pathPattern));
        runtimeConfig = flags.list("runtime-config", FlagType.TEXT);
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
        checkModes(values, problems);
        require(values, problems, served, RbacAuthorizer.MODE, "rbac.authorization.plat.io/v1alpha1");
        require(values, problems, served, WebhookAuthorizer.MODE, ReviewVersion.PLAT_V1BETA1.apiVersion());
    }

    private void checkModes(FlagValues values, FlagProblems problems) {
        options(values).ifPresent(options -> {
            Set<String> sources = new HashSet<>(plannedSources().keySet());
            sources.addAll(policy.plugins(values).sources().keySet());
            (policy.config(values) == null ? options : options.withAvailableModes(List.of(RbacAuthorizer.MODE)))
                    .problems(sources)
                    .forEach(problems::addLine);
        });
    }

    private void require(
            FlagValues values, FlagProblems problems, RuntimeConfig served, String mode, String groupVersion) {
        if (policy.config(values) == null
                && policy.modes(values).orElse(List.of()).contains(mode)
                && !served.serves(groupVersion)) {
            problems.add(
                    policy.modesFlag(),
                    "mode \"" + mode + "\" needs its API: add --runtime-config=" + groupVersion + "=true");
        }
    }

    /** Returns the modes whose authorizers are created during start-up; a check needs only their names. */
    private static Map<String, AuthorizerSource> plannedSources() {
        AuthorizerSource later = () -> {
            throw new IllegalStateException("a check opens nothing");
        };
        return Map.of(RbacAuthorizer.MODE, later, WebhookAuthorizer.MODE, later);
    }

    /** Returns the modes and their files; empty if the modes are malformed. */
    Optional<AuthorizationOptions> options(FlagValues values) {
        return policy.modes(values).map(modes -> policy.options(values, List.of(), null, false));
    }

    @Nullable
    String superUser(FlagValues values) {
        String name = policy.superUser(values);
        return name.isEmpty() ? null : name;
    }

    RuntimeConfig runtimeConfig(FlagValues values) {
        return runtimeConfig(values, new ArrayList<>());
    }

    private RuntimeConfig runtimeConfig(FlagValues values, List<String> problems) {
        return RuntimeConfig.parse(String.join(",", values.find(runtimeConfig).orElse(List.of())), problems);
    }
}
