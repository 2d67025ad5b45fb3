package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.request.QueryParameters;
import io.plat.http.health.HealthAnswer;
import io.plat.http.health.HealthRegistry;
import java.util.List;

/** {@code /healthz}, {@code /livez}, {@code /readyz}: all checks, or the one that the rest of the path names. */
final class HealthEndpoint implements Endpoint {
    private final HealthRegistry health;
    private final HealthRegistry.Endpoint question;

    HealthEndpoint(HealthRegistry health, HealthRegistry.Endpoint question) {
        this.health = health;
        this.question = question;
    }

    @Override
    public Answer answer(Call call) {
        String below = Paths.withoutTrailingSlash(call.info().path())
                .substring(question.word().length() + 1);
        QueryParameters query = call.info().query();
        HealthAnswer answer = below.isEmpty()
                ? health.answer(
                        question,
                        query.first("verbose").isPresent(),
                        query.values().getOrDefault("exclude", List.of()))
                : health.answer(question, below.substring(1));
        return Answer.text(answer.code(), HealthAnswer.TYPE, answer.text());
    }
}
