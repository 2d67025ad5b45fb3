package io.plat.engine.decided;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class DecisionLineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Attributes REQUEST = new Attributes(Samples.ALICE, Samples.PODS);

    private static String line(DecisionRecord decided, SpecField... masked) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        new DecisionLine("Union", new SpecMask(Set.of(masked))).write(decided, lines);
        return lines.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLineHasEveryField() {
        assertThat(line(Samples.decided("0001")))
                .isEqualTo("{\"id\":\"0001\",\"time\":\"2026-11-21T18:01:17.123456Z\",\"client\":\"my-api-server\","
                        + "\"spec\":{\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"list\",\"version\":\"v1\","
                        + "\"resource\":\"pods\",\"name\":\"web-0\",\"fieldSelector\":{\"rawSelector\":\"spec.nodeName=n1\"},"
                        + "\"labelSelector\":{\"requirements\":[{\"key\":\"app\",\"operator\":\"In\","
                        + "\"values\":[\"payroll\",\"web\"]}]}},\"user\":\"alice\",\"groups\":[\"developers\",\"staff\"],"
                        + "\"extra\":{\"example.com/token\":[\"s3cret\"],\"scopes\":[\"read\",\"write\"]},\"uid\":\"u-42\"},"
                        + "\"allowed\":false,\"reason\":\"no policy matched\",\"authorizer\":\"Union\","
                        + "\"policyRevision\":\"r1\",\"durationMicros\":41,\"error\":\"\"}\n");
    }

    @Test
    void eachOutcomeIsWritten() throws IOException {
        Map<Decision, List<String>> outcomes = Map.of(
                new Decision.Allow(new FixedGrant("ABAC", "policy:1", "everything", "line 1 allows it")),
                List.of("true", "line 1 allows it", "ABAC", ""),
                new Decision.Deny("refused"),
                List.of("false", "refused", "Union", ""),
                Decision.NoOpinion.SILENT,
                List.of("false", "", "Union", ""),
                new Decision.Undecided(Decision.Cause.FAILED, "remote is down"),
                List.of("false", "", "Union", "remote is down"),
                new Decision.Undecided(Decision.Cause.FAILED, ""),
                List.of("false", "", "Union", "the request could not be decided"),
                new Decision.Undecided(Decision.Cause.NOT_LOADED, ""),
                List.of("false", "", "Union", "the policy has not been loaded yet"));
        for (Map.Entry<Decision, List<String>> outcome : outcomes.entrySet()) {
            JsonNode line = JSON.readTree(line(Samples.decided("1", REQUEST, outcome.getKey())));
            assertThat(List.of(
                            line.get("allowed").asText(),
                            line.get("reason").asText(),
                            line.get("authorizer").asText(),
                            line.get("error").asText()))
                    .isEqualTo(outcome.getValue());
        }
    }

    @Test
    void maskedValuesAreNotWritten() {
        DecisionRecord decided = new DecisionRecord(
                "1",
                Samples.TIME,
                "alice",
                REQUEST,
                new Decision.Undecided(Decision.Cause.FAILED, "remote knows no alice"),
                "r1",
                1,
                1,
                ShadowSlot.NONE);
        assertThat(line(decided, new SpecField(SpecField.Name.USER, "")))
                .doesNotContain("alice")
                .contains("\"client\":\"(masked)\"", "\"user\":\"(masked)\"", "\"error\":\"(masked)\"");
    }

    @Test
    void aCandidatesDecisionIsWrittenMasked() throws Exception {
        DecisionRecord decided = Samples.decided("1");
        ShadowSlot.Shadowed shadowed = new ShadowSlot.Shadowed(new Decision.Deny("alice is denied"), "candidate-1");
        JsonNode shadow =
                new ObjectMapper().readTree(line(decided.with(shadowed))).get("shadow");
        assertThat(shadow.get("allowed").asBoolean(true)).isFalse();
        assertThat(shadow.get("reason").asText()).isEqualTo("alice is denied");
        assertThat(shadow.get("policyRevision").asText()).isEqualTo("candidate-1");
        assertThat(shadow.get("error").asText()).isEmpty();
        assertThat(line(decided.with(shadowed), new SpecField(SpecField.Name.USER, "")))
                .doesNotContain("alice");
        assertThat(line(decided)).doesNotContain("shadow");
    }

    @Test
    void theSecondToArriveSeesTheFirst() {
        ShadowSlot.Shadowed shadowed = new ShadowSlot.Shadowed(new Decision.Deny(""), "c-1");
        ShadowSlot inTime = new ShadowSlot();
        assertThat(inTime.offer(shadowed)).isTrue();
        assertThat(inTime.take()).isEqualTo(shadowed);
        ShadowSlot late = new ShadowSlot();
        assertThat(late.take()).isNull();
        assertThat(late.offer(shadowed)).isFalse();
        assertThat(ShadowSlot.NONE.take()).isNull();
        assertThat(ShadowSlot.NONE.take()).isNull();
    }

    @Property(tries = 500)
    void anyRequestIsOneLineOfJson(
            @ForAll String user, @ForAll List<String> groups, @ForAll String path, @ForAll String reason)
            throws IOException {
        Attributes request = new Attributes(new UserInfo(user, groups), new NonResourceAttributes(path, "get"));
        String line = line(Samples.decided("the-id", request, new Decision.Deny(reason)));
        assertThat(line).matches("[ -\\x7f]*\n");
        JsonNode read = JSON.readTree(line);
        assertThat(read.get("id").asText()).isEqualTo("the-id");
        assertThat(read.at("/spec/user").asText()).isEqualTo(written(user));
        assertThat(read.at("/spec/nonResourceAttributes/path").asText()).isEqualTo(written(path));
        assertThat(read.get("reason").asText()).isEqualTo(written(reason));
    }

    private static String written(String text) {
        return JsonText.wellFormed(text);
    }
}
