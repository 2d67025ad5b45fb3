package io.plat.tests.bench;

import io.plat.engine.Authorizer;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.Attributes;
import org.openjdk.jmh.annotations.Param;

/** Time of a decision by role objects, in nanoseconds. */
public class RbacBenchmark extends DecisionBenchmark {
    /** Distribution of the bindings. */
    @Param
    public RbacShape shape = RbacShape.SPREAD;

    @Override
    Authorizer authorizer() {
        RbacPolicy policy = shape.policy(size);
        return engine.equals("index") ? RbacAuthorizer.of(RbacIndex.of(policy), "") : new RbacScan(policy);
    }

    @Override
    Attributes request(int i) {
        return shape.request(i);
    }
}
