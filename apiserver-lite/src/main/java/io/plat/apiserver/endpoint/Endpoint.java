package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.review.status.StatusException;

/** Does what an admitted request asks for. For any number of threads; may wait. */
@FunctionalInterface
public interface Endpoint {
    /**
     * The answer to a request.
     *
     * @throws StatusException if there is none but a failure
     */
    Answer answer(Call call) throws StatusException;
}
