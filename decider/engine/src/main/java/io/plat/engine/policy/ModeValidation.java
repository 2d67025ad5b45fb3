package io.plat.engine.policy;

import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.rbac.defaults.KubernetesRoles;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Validation of the modes and the flags that belong to them. */
final class ModeValidation {
    /** The built-in modes. */
    static final Set<String> BUILT_IN = Collections.unmodifiableSet(new LinkedHashSet<>(List.of(
            AlwaysAllow.MODE, AlwaysDeny.MODE, AbacAuthorizer.MODE, RbacAuthorizer.MODE, WebhookAuthorizer.MODE)));

    static final String MODE_FLAG = "--authorization-mode";

    private static final String POLICY_FLAG = "--authorization-policy-file";
    private static final String RBAC_FLAG = "--authorization-rbac-path";
    private static final String KUBECONFIG_FLAG = "--authorization-rbac-kubeconfig";
    private static final String SUPER_USER_FLAG = "--authorization-rbac-super-user";
    private static final String WEBHOOK_FLAG = "--authorization-webhook-config-file";

    private final AuthorizationOptions options;
    private final Set<String> sourcedModes;
    private final List<String> problems = new ArrayList<>();

    private ModeValidation(AuthorizationOptions options, Set<String> sourcedModes) {
        this.options = options;
        this.sourcedModes = sourcedModes;
    }

    /**
     * Returns all problems of the options.
     *
     * @param sourcedModes the modes for which there is a source
     */
    static List<String> problemsOf(AuthorizationOptions options, Set<String> sourcedModes) {
        ModeValidation modes = new ModeValidation(options, sourcedModes);
        modes.names();
        modes.flag(AbacAuthorizer.MODE, POLICY_FLAG, options.policyFile() != null);
        modes.roleObjects();
        if (!options.rbacSuperUser().isEmpty()) {
            modes.only(RbacAuthorizer.MODE, SUPER_USER_FLAG);
            if (options.rbacSuperUser().equals(UserInfo.ANONYMOUS)) {
                modes.problem(SUPER_USER_FLAG, "every request without credentials would be allowed everything");
            }
        }
        modes.flag(WebhookAuthorizer.MODE, WEBHOOK_FLAG, options.webhookConfigFile() != null);
        return modes.problems;
    }

    private void names() {
        if (options.modes().isEmpty()) {
            problem(MODE_FLAG, "required, " + expected());
        }
        Set<String> unique = new HashSet<>();
        for (String mode : options.modes()) {
            if (!known().contains(mode)) {
                boolean node = mode.equals("Node");
                String cause = node ? ", which needs kube-apiserver's knowledge of the pods of each node" : "";
                problem(MODE_FLAG, "unknown mode " + Quoted.of(mode) + cause + ", " + expected());
            } else if (!unique.add(mode)) {
                problem(MODE_FLAG, "mode " + Quoted.of(mode) + " is given more than once");
            }
        }
    }

    private Set<String> known() {
        Set<String> known = new LinkedHashSet<>(BUILT_IN);
        known.addAll(sourcedModes);
        return known;
    }

    private String expected() {
        return "expected one of " + listed(known());
    }

    /** Formats names for a message. */
    static String listed(Collection<String> names) {
        return names.stream().map(Quoted::of).collect(Collectors.joining(", "));
    }

    private void roleObjects() {
        boolean files = !options.rbacPaths().isEmpty();
        boolean server = options.rbacKubeconfig() != null;
        boolean chosen = options.modes().contains(RbacAuthorizer.MODE);
        if (chosen && !files && !server && !options.defaultRoles() && !sourcedModes.contains(RbacAuthorizer.MODE)) {
            problem(RBAC_FLAG, "required with mode \"" + RbacAuthorizer.MODE + "\", or " + KUBECONFIG_FLAG);
        }
        if (files) {
            only(RbacAuthorizer.MODE, RBAC_FLAG);
        }
        if (server) {
            only(RbacAuthorizer.MODE, KUBECONFIG_FLAG);
        }
        if (options.defaultRoles() && server) {
            problem(
                    KubernetesRoles.FLAG,
                    "cannot be combined with " + KUBECONFIG_FLAG + ", as an API server has default roles of its own");
        }
    }

    private void flag(String mode, String flag, boolean isSet) {
        boolean chosen = options.modes().contains(mode);
        if (chosen && !isSet && (mode.equals(WebhookAuthorizer.MODE) || !sourcedModes.contains(mode))) {
            problem(flag, "required with mode \"" + mode + "\"");
        } else if (isSet) {
            only(mode, flag);
        }
    }

    private void only(String mode, String flag) {
        if (!options.modes().contains(mode)) {
            problem(flag, "requires mode \"" + mode + "\" in " + MODE_FLAG);
        }
    }

    private void problem(String flag, String message) {
        problems.add(flag + ": " + message);
    }
}
