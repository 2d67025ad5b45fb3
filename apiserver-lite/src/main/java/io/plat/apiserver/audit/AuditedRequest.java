package io.plat.apiserver.audit;

import io.plat.review.AccessAttributes;
import io.plat.review.UserInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request as it was received: the same in all its events.
 *
 * @param uri request target as sent
 * @param access request attributes
 * @param user authenticated user; null if authentication failed
 * @param sources source addresses, the peer last
 * @param userAgent user agent; {@code ""} for none
 */
public record AuditedRequest(
        String id,
        Instant received,
        String uri,
        AccessAttributes access,
        @Nullable UserInfo user,
        List<String> sources,
        String userAgent) {
    public AuditedRequest {
        sources = List.copyOf(sources);
    }
}
