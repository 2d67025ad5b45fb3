package io.plat.engine.policy;

import io.plat.engine.always.AlwaysDeny;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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
        Objects.requireNonNull(rbacSuperUser);
    }

    /** Returns the files and folders whose content the policy is. */
    public List<Path> paths() {
        return Stream.concat(Stream.ofNullable(policyFile), rbacPaths.stream()).toList();
    }

    /** Returns the options of one mode that needs nothing but a policy file. */
    public AuthorizationOptions of(String mode) {
        return new AuthorizationOptions(List.of(mode), policyFile, List.of(), null, "", null, false);
    }

    /** Returns whether nobody is allowed anything, not even {@code system:masters}: the only mode refuses everything. */
    public boolean refusesEverything() {
        return modes.equals(List.of(AlwaysDeny.MODE));
    }
}
