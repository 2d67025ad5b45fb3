package io.plat.fronts.authzen;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.fronts.authzen.EvaluationReader.Page;
import io.plat.fronts.authzen.EvaluationRequest.Entity;
import io.plat.fronts.authzen.EvaluationRequest.Part;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResultPageTest {
    private static final EvaluationRequest REQUEST = new EvaluationRequest(
            new Entity("user", "", true, Map.of()),
            new Entity("", "get", true, Map.of()),
            new Entity("pods", "a/b", true, Map.of()),
            Map.of());

    @Test
    void aTokenOfAClientsOwnMakingHasNoLargerPage() throws Exception {
        SortedSet<String> ids = new TreeSet<>(
                IntStream.range(0, 2_500).mapToObj(i -> "u%04d".formatted(i)).toList());
        ResultPage first = ResultPage.of(Part.SUBJECT, REQUEST, new Page("", null));
        String token = first.next(first.select(ids), ids);
        String changed =
                new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).replace(":1000:", ":9999:");
        String forged = Base64.getUrlEncoder().encodeToString(changed.getBytes(StandardCharsets.UTF_8));
        for (String one : new String[] {token, forged}) {
            ResultPage second = ResultPage.of(Part.SUBJECT, REQUEST, new Page(one, null));
            assertThat(second.select(ids)).hasSize(1_000).startsWith("u1000");
        }
    }
}
