package io.plat.tests.foreign;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource as users of client libraries write it. */
@Group("operator.example.com")
@Version("v1")
@Plural("bakeries")
public final class Bakery extends CustomResource<Bakery.Spec, Bakery.Status> implements Namespaced {
    private static final long serialVersionUID = 1L;

    /** What is wanted. */
    public static final class Spec {
        private int ovens;

        /** How many. */
        public int getOvens() {
            return ovens;
        }

        /** How many. */
        public void setOvens(int ovens) {
            this.ovens = ovens;
        }
    }

    /** What is. */
    public static final class Status {
        private int ovens;
        private long observedGeneration;

        /** How many. */
        public int getOvens() {
            return ovens;
        }

        /** How many. */
        public void setOvens(int ovens) {
            this.ovens = ovens;
        }

        /** Which state of the object it was. */
        public long getObservedGeneration() {
            return observedGeneration;
        }

        /** Which state of the object it was. */
        public void setObservedGeneration(long observedGeneration) {
            this.observedGeneration = observedGeneration;
        }
    }
}
