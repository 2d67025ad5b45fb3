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
     * Whether it may wait for something before this request goes on; it then runs on a thread that may, and so does everything
     * behind it. Asked once the filters in front of it have let the request pass; must not wait itself.
     */
    default boolean waits(Call call) {
        return false;
    }
}
