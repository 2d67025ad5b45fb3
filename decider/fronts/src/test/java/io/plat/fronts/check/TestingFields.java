package io.plat.fronts.check;

import io.plat.http.authentication.Credentials;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Header fields of a test.
 *
 * @param lines {@code Name: value}
 */
record TestingFields(List<String> lines) implements Credentials {
    static TestingFields of(String... lines) {
        return new TestingFields(List.of(lines));
    }

    @Override
    public List<X509Certificate> certificates() {
        return List.of();
    }

    @Override
    public List<String> headers(String name) {
        List<String> values = new ArrayList<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (line.substring(0, colon).equalsIgnoreCase(name)) {
                values.add(line.substring(colon + 1).trim());
            }
        }
        return values;
    }

    @Override
    public Collection<String> headerNames() {
        return lines.stream().map(line -> line.substring(0, line.indexOf(':'))).toList();
    }
}
