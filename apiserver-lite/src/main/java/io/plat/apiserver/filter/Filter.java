package io.plat.apiserver.filter;

import io.plat.review.status.StatusException;

/** Filter of requests. Thread-safe. */
public interface Filter {
    /**
     * Admits a request by returning, and stores results in the call.
     *
     * @throws StatusException to reject the request: no later filter and no endpoint sees it, and the Status is the response
     */
    void admit(Call call) throws StatusException;

    /** Returns whether {@link #admit} may block on this request. */
    default boolean mayBlock(Call call) {
        return false;
    }

    /**
     * Admits a request on a thread that must not block.
     *
     * @return false if it would have to block: it has had no effect then, and {@link #admit} is to be called on a thread that may block,
     *     as are all later filters
     * @throws StatusException as for {@link #admit}
     */
    default boolean admitWithoutBlocking(Call call) throws StatusException {
        if (mayBlock(call)) {
            return false;
        }
        admit(call);
        return true;
    }
}
