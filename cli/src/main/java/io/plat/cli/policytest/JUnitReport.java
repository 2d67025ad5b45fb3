package io.plat.cli.policytest;

import java.util.List;
import java.util.Map;

/** Results in the XML that test runners of the field read. */
final class JUnitReport {
    private final StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

    private JUnitReport() {}

    static String of(Map<String, List<Result>> results) {
        return new JUnitReport().suites(results);
    }

    private String suites(Map<String, List<Result>> results) {
        List<Result> all = results.values().stream().flatMap(List::stream).toList();
        xml.append("<testsuites").append(counts(all)).append(">\n");
        results.forEach((file, some) -> {
            xml.append("  <testsuite name=\"").append(escaped(file)).append('"').append(counts(some));
            xml.append(">\n");
            some.forEach(result -> testcase(file, result));
            xml.append("  </testsuite>\n");
        });
        return xml.append("</testsuites>").toString();
    }

    private static String counts(List<Result> results) {
        long failures = results.stream().filter(result -> !result.passed()).count();
        return " tests=\"" + results.size() + "\" failures=\"" + failures + "\" errors=\"0\"";
    }

    private void testcase(String file, Result result) {
        xml.append("    <testcase classname=\"")
                .append(escaped(file))
                .append("\" name=\"")
                .append(escaped(result.of().name()))
                .append("\" line=\"")
                .append(result.of().where().line())
                .append('"');
        if (result.passed()) {
            xml.append("/>\n");
        } else {
            xml.append(">\n      <failure message=\"")
                    .append(escaped(result.failure()))
                    .append("\"/>\n    </testcase>\n");
        }
    }

    /** As an attribute may hold it; what XML has no form for is replaced. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\t', '\n', '\r' -> escaped.append("&#").append(c).append(';');
                default -> {
                    boolean written = (c >= 0x20 && c < 0xFFFE && !(c >= 0xD800 && c < 0xE000)) || c >= 0x10000;
                    escaped.appendCodePoint(written ? c : 0xFFFD);
                }
            }
        });
        return escaped.toString();
    }
}
