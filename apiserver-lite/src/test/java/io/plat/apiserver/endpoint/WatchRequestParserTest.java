package io.plat.apiserver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.TestingIncoming;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.UserInfo;
import io.plat.review.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchRequestParserTest {
    @ParameterizedTest
    @CsvSource({
        "'', 2700",
        "&timeoutSeconds=0, 2700",
        "&timeoutSeconds=7, 7",
        "&timeoutSeconds=-7, 0",
        "&timeoutSeconds=3600, 3600",
        "&timeoutSeconds=3601, 3600",
        "&timeoutSeconds=31536000, 3600",
        "&timeoutSeconds=999999999999999999, 3600",
    })
    void watchTimeoutIsAtMostAnHour(String query, long seconds) throws StatusException {
        Call call = TestingIncoming.of("GET", "/api/v1/secrets?watch=1" + query).by(new UserInfo("alice", List.of()));
        ResourceType secrets =
                ResourceCatalog.builtIn().find("", "v1", "secrets").orElseThrow();
        assertThat(new WatchRequestParser(() -> 0.5)
                        .request(call, secrets, (ResourceRequest) call.info())
                        .timeout())
                .hasSeconds(seconds);
    }
}
