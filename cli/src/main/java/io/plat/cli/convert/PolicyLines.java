package io.plat.cli.convert;

import io.plat.engine.abac.AbacLine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** Lines of a policy file. */
record PolicyLines(List<AbacLine> lines) implements Converted.Document {
    PolicyLines {
        lines = List.copyOf(lines);
    }

    @Override
    public String text() {
        return lines.stream().map(line -> line.text() + "\n").collect(Collectors.joining());
    }

    @Override
    public byte[] json() {
        return lines.stream()
                .map(AbacLine::text)
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(StandardCharsets.UTF_8);
    }
}
