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
     * Requests about subjects that are spread over the whole policy, as many at every size, so that what differs is the policy.
     *
     * @param asked how many; a power of two
     * @param size the number of bindings or lines
     * @param request the request that belongs to the binding or line with a number below the size
     */
    static Attributes[] requests(int asked, int size, IntFunction<Attributes> request) {
        Random random = new Random(42);
        Attributes[] requests = new Attributes[asked];
        for (int i = 0; i < asked; i++) {
            requests[i] = request.apply(random.nextInt(size));
        }
        return requests;
    }

    /** A request as a server would make it: three groups, none of them named by the policy. */
    static Attributes get(String user, String namespace, String resource) {
        return new Attributes(
                new UserInfo(user, List.of("team", "staff", "system:authenticated")),
                new ResourceAttributes(namespace, "get", "", "v1", resource, "", "name"));
    }
}
