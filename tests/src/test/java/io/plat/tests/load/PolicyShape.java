package io.plat.tests.load;

/** How the bindings of a policy stand together: those of a shape differ in what an index could be slow at. */
enum PolicyShape {
    /** Each in a namespace of its own, to a user of its own. */
    SPREAD("team-%1$d", "user-%1$d", "readers"),
    /** All in one namespace, each to a user of its own. */
    ONE_NAMESPACE("shared", "user-%1$d", "readers-%1$d"),
    /** All to one user, each in a namespace of its own. */
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

    /** A List of role objects in JSON: the bindings from one number to before another, each to a role of three rules. */
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

    /** The same bindings and roles as a document for a policy engine that looks up by key. */
    String document(int bindings) {
        StringBuilder users = new StringBuilder("{\"bindings\":{");
        StringBuilder roles = new StringBuilder("},\"roles\":{");
        String open = "";
        for (int i = 0; i < bindings; i++) {
            String namespace = namespace(i);
            boolean another = !namespace.equals(open);
            if (another) {
                users.append(i == 0 ? "" : "},").append('"').append(namespace).append("\":{");
                roles.append(i == 0 ? "" : ",")
                        .append('"')
                        .append(namespace)
                        .append("\":")
                        .append("""
                        {"reader":[{"apiGroups":{"":true},"resources":{"pods":true,"services":true},\
                        "verbs":{"get":true,"list":true,"watch":true}},\
                        {"apiGroups":{"apps":true},"resources":{"deployments":true},\
                        "verbs":{"create":true,"update":true,"patch":true}},\
                        {"apiGroups":{"":true},"resources":{"configmaps":true},"resourceNames":{"settings":true},\
                        "verbs":{"get":true}}]}""");
            }
            users.append(another ? "" : ",").append('"').append(user(i)).append("\":[\"reader\"]");
            open = namespace;
        }
        return users.append('}').append(roles).append("}}").toString();
    }

    /** What is asked: whether the user of the binding in the middle may read what its role is about. */
    String review(int bindings) {
        int asked = bindings / 2;
        return """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"%s",\
                "groups":["system:authenticated"],"resourceAttributes":{"namespace":"%s","verb":"get","version":"v1",\
                "resource":"pods","name":"web-0"}}}""".formatted(user(asked), namespace(asked));
    }
}
