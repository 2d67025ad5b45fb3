package io.plat.decider;

import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a policy that is tried out. It is the policy in force with the files of one or both modes replaced; a mode that is not in
 * force is added.
 */
final class CandidateFlags {
    private final Flag<Optional<Path>> policyFile;
    private final Flag<List<Path>> rbacPaths;

    CandidateFlags(FlagSet set) {
        set.group("Trying out a policy");
        policyFile = set.optional(
                "candidate-policy-file",
                FlagType.PATH,
                "A policy file to decide by beside the real one: never answered, every disagreement is logged and counted.");
        rbacPaths = set.repeated(
                "candidate-rbac-path",
                FlagType.PATH.labelled("PATH"),
                "The same for role objects: a YAML or JSON manifest, or a folder of them.");
    }

    /**
     * The candidate, or null where there is none.
     *
     * @param real what is in force
     */
    @Nullable
    AuthorizationOptions options(FlagValues values, AuthorizationOptions real) {
        @Nullable Path file = values.get(policyFile).orElse(null);
        List<Path> paths = values.get(rbacPaths);
        if (file == null && paths.isEmpty()) {
            return null;
        }
        List<String> modes = new ArrayList<>(real.modes());
        if (file != null && !modes.contains(AbacAuthorizer.MODE)) {
            modes.add(AbacAuthorizer.MODE);
        }
        if (!paths.isEmpty() && !modes.contains(RbacAuthorizer.MODE)) {
            modes.add(RbacAuthorizer.MODE);
        }
        return new AuthorizationOptions(
                modes,
                file == null ? real.policyFile() : file,
                paths.isEmpty() ? real.rbacPaths() : paths,
                real.rbacKubeconfig(),
                real.rbacSuperUser(),
                real.webhookConfigFile());
    }
}
