@NullMarked
package io.plat.http.page;

import org.jspecify.annotations.NullMarked;
