package io.plat.cli.policy;

import io.plat.cli.server.HttpsConnection;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.defaults.KubernetesRoles;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.union.Member;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.source.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The text of a policy.
 *
 * @param lines the lines of all policy files, null if there is no such file
 * @param roles all role objects, null if there is no manifest
 * @param warnings the ignored parts
 */
public record PolicyDocuments(
        @Nullable AbacPolicy lines, @Nullable RbacPolicy roles, List<Problem> warnings) {
    /** Warning about a policy that {@link #isEmpty}. */
    public static final String NOTHING = "no policy line, role or binding found (subdirectories are not read)";

    private static final String SERVER = "server:";

    public PolicyDocuments {
        warnings = List.copyOf(warnings);
    }

    /** Returns whether there is no line, no role and no binding. */
    public boolean isEmpty() {
        return (lines == null || lines.lines().isEmpty()) && roleObjects().equals(RbacPolicy.EMPTY);
    }

    /** Returns the role objects; none if there is no manifest. */
    public RbacPolicy roleObjects() {
        return Objects.requireNonNullElse(roles, RbacPolicy.EMPTY);
    }

    /** Returns this policy with the role objects of another one. */
    PolicyDocuments with(PolicyDocuments other) {
        List<RbacRole> allRoles = new ArrayList<>();
        List<RbacBinding> allBindings = new ArrayList<>();
        List<Problem> allWarnings = new ArrayList<>(warnings);
        for (RbacPolicy some : List.of(roleObjects(), other.roleObjects())) {
            allRoles.addAll(some.roles());
            allBindings.addAll(some.bindings());
        }
        allWarnings.addAll(other.warnings);
        return new PolicyDocuments(lines, new RbacPolicy(allRoles, allBindings), allWarnings);
    }

    /** Returns this policy with Kubernetes' default role objects added. */
    public PolicyDocuments withDefaultRoles() {
        return new PolicyDocuments(lines, KubernetesRoles.LATEST.addedTo(roleObjects()), warnings);
    }

    /** Returns the access of each subject. */
    public PolicyAccess access(PolicyAccess.Vocabulary vocabulary) {
        return PolicyAccess.of(lines, roles, vocabulary);
    }

    /** Returns an authorizer that decides like a decider with these files. */
    public UnionAuthorizer authorizer() {
        List<Member> members = new ArrayList<>();
        if (lines != null) {
            members.add(new Member(AbacAuthorizer.MODE, new AbacAuthorizer(AbacIndex.of(lines))));
        }
        if (roles != null) {
            members.add(new Member(RbacAuthorizer.MODE, RbacAuthorizer.of(RbacIndex.of(roles), "")));
        }
        if (members.isEmpty()) {
            members.add(new Member(AlwaysDeny.MODE, new AlwaysDeny()));
        }
        return new UnionAuthorizer(members);
    }

    /** Returns whether an argument means a server's role objects. */
    public static boolean isServer(String argument) {
        return argument.equals(SERVER);
    }

    /**
     * Reads several sources as one policy: files, directories, or the role objects of the server that the connection flags mean.
     *
     * @param arguments paths, and {@code server:}
     * @param server connects to the server, if it is used
     * @throws io.plat.cli.process.CommandException if one cannot be read
     */
    public static PolicyDocuments read(List<String> arguments, Supplier<HttpsConnection> server) {
        List<Path> paths = arguments.stream()
                .filter(argument -> !isServer(argument))
                .map(Path::of)
                .toList();
        PolicyDocuments files = PolicyPathReader.read(paths);
        return paths.size() == arguments.size() ? files : files.with(ServerRoles.read(server.get()));
    }
}
