package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.review.status.StatusException;

/** Handler of admitted requests. Thread-safe; may block. */
@FunctionalInterface
public interface ApiEndpoint {
    ApiResponse answer(Call call) throws StatusException;
}
