package io.plat.tests.bench;

import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/** Common parameters of the benchmarks: the numbers of requests, which are the same at every size. */
final class Sizes {
    private Sizes() {}

    /**
     * Returns requests of subjects across the whole policy; their number does not depend on the size.
     *
     * @param requested number of requests; a power of two
     * @param size number of bindings or lines
     * @param request returns the request for the binding or line with a number below the size
     */
    static Attributes[] requests(int requested, int size, IntFunction<Attributes> request) {
        Random random = new Random(42);
        Attributes[] requests = new Attributes[requested];
        for (int i = 0; i < requested; i++) {
            requests[i] = request.apply(random.nextInt(size));
        }
        return requests;
    }

    /** A request like that of a server: three groups, none of them in the policy. */
    static Attributes get(String user, String namespace, String resource) {
        return new Attributes(
                new UserInfo(user, List.of("team", "staff", "system:authenticated")),
                new ResourceAttributes(namespace, "get", "", "v1", resource, "", "name"));
    }
}
