package io.plat.tests.bench;

import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.abac.AbacPolicy;
import io.plat.review.Attributes;
import org.openjdk.jmh.annotations.Param;

/** Time of a decision by a policy file, in nanoseconds. */
public class AbacBenchmark extends DecisionBenchmark {
    /** Distribution of the lines. */
    @Param
    public AbacShape shape = AbacShape.SPREAD;

    @Override
    Authorizer authorizer() {
        AbacPolicy policy = shape.policy(size);
        return engine.equals("index") ? new AbacAuthorizer(AbacIndex.of(policy)) : new AbacScan(policy);
    }

    @Override
    Attributes request(int i) {
        return shape.request(i);
    }
}
