package io.plat.cli.command;

import io.plat.cli.output.Progress;
import io.plat.cli.process.CommandException;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.PolicyLoader;
import io.plat.engine.policy.PolicySet;
import io.plat.engine.policy.UsageException;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.review.source.ProblemsException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Flags for policy files instead of a server, with the names of the servers' flags. */
public final class PolicyOptions {
    @Option(names = "--authorization-policy-file", paramLabel = "FILE")
    @Nullable
    Path policyFile;

    @Option(names = "--authorization-rbac-path", paramLabel = "PATH")
    List<Path> rbacPaths = new ArrayList<>();

    @Option(names = "--authorization-rbac-super-user", paramLabel = "USER")
    String superUser = "";

    /** Returns whether files are to be used. */
    public boolean given() {
        return policyFile != null || !rbacPaths.isEmpty() || !superUser.isEmpty();
    }

    String files() {
        return Stream.concat(Stream.ofNullable(policyFile), rbacPaths.stream())
                .map(Path::toString)
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns the policy of the files, as a decider with these flags loads it.
     *
     * @param plat receives the ignored parts
     * @param indexed whether there are enough requests for an index
     * @throws CommandException if a file can't be used
     */
    public PolicySet policy(Program plat, boolean indexed) {
        List<String> modes = new ArrayList<>();
        if (policyFile != null) {
            modes.add(AbacAuthorizer.MODE);
        }
        if (!rbacPaths.isEmpty() || policyFile == null) {
            modes.add(RbacAuthorizer.MODE);
        }
        try {
            PolicyLoader loader = PolicyLoader.of(
                    new AuthorizationOptions(modes, policyFile, rbacPaths, null, superUser, null),
                    Map.of(),
                    InstantSource.system());
            PolicySet policy;
            try (Progress _ = plat.progress("loading", -1)) {
                policy = indexed ? loader.load() : loader.loadUnindexed();
            }
            plat.report().warn(policy.warnings());
            return policy;
        } catch (UsageException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        } catch (ProblemsException e) {
            throw CommandException.of(e);
        }
    }
}
