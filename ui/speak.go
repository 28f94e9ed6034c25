package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/assets"
)

// speak has the window speak a language (a tag such as "de"), or the system's
// where it is empty. Fyne always follows the system, so a chosen language is
// given to it as the texts of every language that we have.
func speak(language string) error {
	if language == "" {
		return lang.AddTranslationsFS(assets.Translations, "translations")
	}
	data, err := assets.Translations.ReadFile("translations/" + language + ".json")
	if err != nil {
		return fmt.Errorf("language %q: %w", language, err)
	}
	tags, _ := languages()
	for _, tag := range tags {
		if tag == "" {
			continue
		}
		if err := lang.AddTranslationsForLocale(data, fyne.Locale(tag)); err != nil {
			return fmt.Errorf("language %q: %w", language, err)
		}
	}
	return nil
}
