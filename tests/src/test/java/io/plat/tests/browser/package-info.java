/** The access page in a real browser, over its debugging protocol. Skipped with a message if Chromium is missing. */
@NullMarked
package io.plat.tests.browser;

import org.jspecify.annotations.NullMarked;
