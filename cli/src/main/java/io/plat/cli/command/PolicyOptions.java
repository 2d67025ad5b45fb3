package io.plat.cli;

import io.plat.cli.output.Report;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which policy files are asked instead of a server, by the names that the servers know them by. */
public final class PolicyOptions {
    @Option(
            names = "--authorization-policy-file",
            paramLabel = "FILE",
            description = "decide by this ABAC policy file instead of asking a server")
    @Nullable
    Path policyFile;

    @Option(
            names = "--authorization-rbac-path",
            paramLabel = "PATH",
            description = "decide by the role objects of this file or folder, repeatable")
    List<Path> rbacPaths = new ArrayList<>();

    @Option(
            names = "--authorization-rbac-super-user",
            paramLabel = "USER",
            description = "the user whom the role objects' mode allows everything")
    String superUser = "";

    /** Whether files are to be asked. */
    public boolean given() {
        return policyFile != null || !rbacPaths.isEmpty() || !superUser.isEmpty();
    }

    /**
     * What the files say, as a decider that is started with these flags decides.
     *
     * @param report is told what was left out
     * @param indexed whether it is asked so much that indexing it pays
     * @throws CommandException if a file can't be used
     */
    public PolicySet policy(Report report, boolean indexed) {
        List<String> modes = new ArrayList<>();
        if (policyFile != null) {
            modes.add(AbacAuthorizer.MODE);
        }
        if (!rbacPaths.isEmpty() || policyFile == null) {
            modes.add(RbacAuthorizer.MODE);
        }
        try {
            PolicyLoader loader = PolicyLoader.of(
                    new AuthorizationOptions(modes, policyFile, rbacPaths, superUser, null),
                    Map.of(),
                    InstantSource.system());
            PolicySet policy = indexed ? loader.load() : loader.loadUnindexed();
            policy.warnings().forEach(warning -> report.warn(warning.toString()));
            return policy;
        } catch (UsageException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        } catch (ProblemsException e) {
            throw CommandException.couldNotTell(String.valueOf(e.getMessage()));
        }
    }
}
