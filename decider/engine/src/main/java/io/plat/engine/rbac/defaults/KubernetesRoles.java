package io.plat.engine.rbac.defaults;

/** Default role objects of a Kubernetes version: those that its kube-apiserver creates at the first start. */
public enum KubernetesRoles {
    /** Kubernetes 1.36. */
    V1_36("1.36");

    /** The newest known version. */
    public static final KubernetesRoles LATEST = V1_36;

    private final String version;

    KubernetesRoles(String version) {
        this.version = version;
    }

    /** Returns the name of the resource beside this class: a JSON array of objects of {@code rbac.authorization.k8s.io/v1}. */
    public String file() {
        return "kubernetes-" + version + ".json";
    }
}
