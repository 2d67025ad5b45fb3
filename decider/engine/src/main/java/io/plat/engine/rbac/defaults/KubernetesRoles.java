package io.plat.engine.rbac.defaults;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.review.source.Location;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Default role objects of a Kubernetes version: those that its kube-apiserver creates at the first start. */
public enum KubernetesRoles {
    /** Kubernetes 1.36. */
    V1_36("1.36");

    /** The newest known version. */
    public static final KubernetesRoles LATEST = V1_36;

    /** Flag that adds them to the RBAC mode. */
    public static final String FLAG = "--authorization-rbac-default-roles";

    private final String version;

    KubernetesRoles(String version) {
        this.version = version;
    }

    /** Returns the name of the class path resource: a JSON array of objects of {@code rbac.authorization.k8s.io/v1}. */
    public String file() {
        return "kubernetes-" + version + ".json";
    }

    /** Returns the content of the resource. */
    public byte[] manifest() {
        try (InputStream in = Objects.requireNonNull(KubernetesRoles.class.getResourceAsStream(file()), file())) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("could not read a resource of the program: " + file(), e);
        }
    }

    /** Returns their source, for people. */
    public String source() {
        return "default roles (kubernetes " + version + ")";
    }

    /** Returns a policy with these objects added, except those whose kind, namespace and name it has already. */
    public RbacPolicy addedTo(RbacPolicy policy) {
        List<RbacRole> roles = new ArrayList<>(policy.roles());
        List<RbacBinding> bindings = new ArrayList<>(policy.bindings());
        Set<ObjectKey> known = new HashSet<>();
        roles.forEach(role -> known.add(role.key()));
        bindings.forEach(binding -> known.add(binding.key()));
        RbacPolicy defaults = policy();
        Location where = new Location(source(), 0);
        defaults.roles().stream()
                .filter(role -> !known.contains(role.key()))
                .forEach(role -> roles.add(new RbacRole(
                        role.key(),
                        role.labels(),
                        role.rules().stream().map(rule -> rule.at(where)).toList(),
                        role.aggregation(),
                        where)));
        defaults.bindings().stream()
                .filter(binding -> !known.contains(binding.key()))
                .forEach(binding ->
                        bindings.add(new RbacBinding(binding.key(), binding.subjects(), binding.roleRef(), where)));
        return new RbacPolicy(roles, bindings);
    }

    private RbacPolicy policy() {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add(file(), manifest());
        try {
            return reader.finish().policy();
        } catch (ProblemsException e) {
            throw new IllegalStateException("a resource of the program is malformed", e);
        }
    }
}
