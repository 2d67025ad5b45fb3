package io.plat.tests.load;

import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.review.source.ProblemsException;

/** Distributions of a policy's bindings, each difficult for some kind of index. */
enum PolicyShape {
    /** Each binding has its own namespace and user. */
    SPREAD("team-%1$d", "user-%1$d", "readers"),
    /** All bindings have one namespace, each its own user. */
    ONE_NAMESPACE("shared", "user-%1$d", "readers-%1$d"),
    /** All bindings have one user, each its own namespace. */
    ONE_SUBJECT("team-%1$d", "jane", "readers");

    private final String namespace;
    private final String user;
    private final String binding;

    PolicyShape(String namespace, String user, String binding) {
        this.namespace = namespace;
        this.user = user;
        this.binding = binding;
    }

    String namespace(int i) {
        return namespace.formatted(i);
    }

    String user(int i) {
        return user.formatted(i);
    }

    /** Returns a List of role objects in JSON: a range of bindings, each to a role with three rules. */
    String manifests(int from, int to) {
        StringBuilder items = new StringBuilder("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
        for (int i = from; i < to; i++) {
            items.append(i == from ? "" : ",\n");
            if (i == 0 || !namespace(i).equals(namespace(i - 1))) {
                items.append(role(namespace(i))).append(",\n");
            }
            items.append("""
                    {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"%s","namespace":"%s"},\
                    "subjects":[{"kind":"User","name":"%s","apiGroup":"rbac.authorization.k8s.io"}],\
                    "roleRef":{"kind":"Role","name":"reader","apiGroup":"rbac.authorization.k8s.io"}}\
                    """.formatted(binding.formatted(i), namespace(i), user(i)));
        }
        return items.append("]}").toString();
    }

    private static String role(String namespace) {
        return """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"reader","namespace":"%s"},"rules":[\
                {"apiGroups":[""],"resources":["pods","services"],"verbs":["get","list","watch"]},\
                {"apiGroups":["apps"],"resources":["deployments"],"verbs":["create","update","patch"]},\
                {"apiGroups":[""],"resources":["configmaps"],"resourceNames":["settings"],"verbs":["get"]}]}\
                """.formatted(namespace);
    }

    /** Returns these objects, parsed. */
    RbacPolicy policy(int bindings) throws ProblemsException {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add(name(), manifests(0, bindings));
        return reader.finish().policy();
    }

    /** Returns the request whether the user of the middle binding may read what its role grants. */
    String review(int bindings) {
        int requested = bindings / 2;
        return """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"%s",\
                "groups":["system:authenticated"],"resourceAttributes":{"namespace":"%s","verb":"get","version":"v1",\
                "resource":"pods","name":"web-0"}}}""".formatted(user(requested), namespace(requested));
    }
}
