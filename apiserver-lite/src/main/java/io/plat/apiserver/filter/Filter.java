package io.plat.apiserver.filter;

import io.plat.review.status.StatusException;

/** One step on a request's way. For any number of threads. */
public interface Filter {
    /**
     * Looks at a request and lets it go on by returning. What it found out it leaves in the call.
     *
     * @throws StatusException if the request does not go on: no later filter and no endpoint sees it, and the Status is its
     *     answer
     */
    void admit(Call call) throws StatusException;

    /**
     * The same on a thread that must not wait.
     *
     * @return false if it would have to wait before this request goes on: it has then done nothing yet, and {@link #admit} is to be
     *     called on a thread that may wait, as is everything behind it
     * @throws StatusException as for {@link #admit}
     */
    default boolean admitAtOnce(Call call) throws StatusException {
        admit(call);
        return true;
    }
}
