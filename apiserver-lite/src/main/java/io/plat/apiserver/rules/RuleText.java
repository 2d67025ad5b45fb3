package io.plat.apiserver.rules;

import java.util.ArrayList;
import java.util.List;

/** Parser of rule files into nested lines. */
final class RuleText {
    private static final String INDENT = "  ";

    private RuleText() {}

    /**
     * Line with its nested lines.
     *
     * @param words words; quotes are preserved
     * @param message text after the first colon that is followed by a space, {@code ""} if absent
     */
    record Line(List<String> words, String message, List<Line> below) {
        private static Line of(String text) {
            List<String> words = new ArrayList<>();
            int begin = 0;
            boolean quoted = false;
            for (int i = 0; i <= text.length(); i++) {
                if (i < text.length() && text.charAt(i) == '"') {
                    quoted = !quoted;
                } else if (i == text.length() || (text.charAt(i) == ' ' && !quoted)) {
                    String word = text.substring(begin, i);
                    if (word.endsWith(":") && i < text.length()) {
                        words.add(word.substring(0, word.length() - 1));
                        return new Line(words, text.substring(i + 1), new ArrayList<>());
                    }
                    if (!word.isEmpty()) {
                        words.add(word);
                    }
                    begin = i + 1;
                }
            }
            return new Line(words, "", new ArrayList<>());
        }
    }

    static List<Line> read(String file) {
        List<List<Line>> levels = new ArrayList<>(List.of(new ArrayList<>()));
        for (String text : file.lines().toList()) {
            if (text.isBlank() || text.strip().startsWith("#")) {
                continue;
            }
            int level = 0;
            while (text.startsWith(INDENT, level * INDENT.length())) {
                level++;
            }
            Line line = Line.of(text.strip());
            levels.get(level).add(line);
            levels.subList(level + 1, levels.size()).clear();
            levels.add(line.below());
        }
        return levels.getFirst();
    }

    static List<String> unquoted(List<String> words) {
        return words.stream().map(RuleText::unquoted).toList();
    }

    /** Returns a word without its quotes. */
    static String unquoted(String word) {
        return word.startsWith("\"") && word.endsWith("\"") ? word.substring(1, word.length() - 1) : word;
    }
}
