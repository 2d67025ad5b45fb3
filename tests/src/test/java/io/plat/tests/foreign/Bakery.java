package io.plat.tests.foreign;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource, as written by users of client libraries. */
@Group("operator.example.com")
@Version("v1")
@Plural("bakeries")
public final class Bakery extends CustomResource<Bakery.Spec, Bakery.Status> implements Namespaced {
    private static final long serialVersionUID = 1L;

    /** Desired state. */
    public static final class Spec {
        private int ovens;

        public int getOvens() {
            return ovens;
        }

        public void setOvens(int ovens) {
            this.ovens = ovens;
        }
    }

    /** Observed state. */
    public static final class Status {
        private int ovens;
        private long observedGeneration;

        public int getOvens() {
            return ovens;
        }

        public void setOvens(int ovens) {
            this.ovens = ovens;
        }

        public long getObservedGeneration() {
            return observedGeneration;
        }

        public void setObservedGeneration(long observedGeneration) {
            this.observedGeneration = observedGeneration;
        }
    }
}
