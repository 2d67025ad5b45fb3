package io.plat.engine.policy;

import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.rbac.index.RbacAuthorizer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Values of the authorization flags.
 *
 * @param modes the names in {@code --authorization-mode}, in order
 * @param policyFile {@code --authorization-policy-file}, or null
 * @param rbacPaths every {@code --authorization-rbac-path}
 * @param rbacKubeconfig {@code --authorization-rbac-kubeconfig}, or null
 * @param rbacSuperUser {@code --authorization-rbac-super-user}, or {@code ""}
 * @param webhookConfigFile {@code --authorization-webhook-config-file}, or null
 * @param defaultRoles whether Kubernetes' default role objects are added to those of {@code rbacPaths}
 */
public record AuthorizationOptions(
        List<String> modes,
        @Nullable Path policyFile,
        List<Path> rbacPaths,
        @Nullable Path rbacKubeconfig,
        String rbacSuperUser,
        @Nullable Path webhookConfigFile,
        boolean defaultRoles) {
    public AuthorizationOptions {
        modes = List.copyOf(modes);
        rbacPaths = List.copyOf(rbacPaths);
    }

    /** Returns the files and directories of the policy. */
    public List<Path> paths() {
        return Stream.concat(Stream.ofNullable(policyFile), rbacPaths.stream()).toList();
    }

    /**
     * Returns all problems, one line each: the flag with its dashes, the problem and the expected value, with user input quoted.
     *
     * @param sourcedModes modes with an {@link AuthorizerSource}
     */
    public List<String> problems(Set<String> sourcedModes) {
        return ModeValidation.problemsOf(this, sourcedModes);
    }

    /**
     * Returns the options with every mode whose settings are given, for a configuration file that may name any of them at any time and has
     * the settings of webhooks itself.
     *
     * @param sourcedModes modes with an {@link AuthorizerSource}
     */
    public AuthorizationOptions withAvailableModes(Collection<String> sourcedModes) {
        Set<String> available = new LinkedHashSet<>(List.of(AlwaysAllow.MODE, AlwaysDeny.MODE));
        if (policyFile != null) {
            available.add(AbacAuthorizer.MODE);
        }
        if (!rbacPaths.isEmpty() || rbacKubeconfig != null || defaultRoles) {
            available.add(RbacAuthorizer.MODE);
        }
        available.addAll(sourcedModes);
        return new AuthorizationOptions(
                List.copyOf(available), policyFile, rbacPaths, rbacKubeconfig, rbacSuperUser, null, defaultRoles);
    }

    /** Returns whether every request is refused, even those of {@code system:masters}: the only mode refuses everything. */
    public boolean refusesEverything() {
        return modes.equals(List.of(AlwaysDeny.MODE));
    }
}
