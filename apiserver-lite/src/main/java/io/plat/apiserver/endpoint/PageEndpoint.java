package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.Body;
import io.plat.http.page.AccessPage;
import io.plat.http.page.PageFile;
import io.plat.review.status.StatusException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code /ui}: the files of the access page. Whoever may get them learns nothing yet: the page asks with requests of its own. */
final class PageEndpoint implements Endpoint {
    @Override
    public Answer answer(Call call) throws StatusException {
        PageFile file = AccessPage.at(call.info().path()).orElseThrow(Failures::notFound);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        AccessPage.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        headers.put("ETag", List.of("\"" + file.tag() + "\""));
        boolean known = file.isKnownBy(call.incoming().header("If-None-Match"));
        return known
                ? new Answer(304, file.contentType(), headers, Body.of(new byte[0]))
                : new Answer(200, file.contentType(), headers, Body.of(file.bytes()));
    }
}
