/** The access page in a real browser, over its debugging protocol. Skipped with a message where there is no Chromium. */
@NullMarked
package io.plat.tests.browser;

import org.jspecify.annotations.NullMarked;
