package ui

import (
	"encoding/json"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"github.com/jeandeaual/go-locale"
	"golang.org/x/text/language"

	"retrace/assets"
	"retrace/ui/words"
)

// speak has the window speak a language (a tag such as "de"), or the system's
// where it is empty. Fyne always follows the system, so a chosen language is
// given to it as the texts of every tag that it may choose.
func speak(chosen string) error {
	return eachLanguage(chosen, func(ours string) ([]byte, error) {
		return assets.Translations.ReadFile("translations/" + ours + ".json")
	})
}

// speakUnits has the window say lengths and speeds in miles, or in kilometres, in the
// language that it speaks: see words.InUse.
func speakUnits(chosen string, miles bool) error {
	return eachLanguage(chosen, func(ours string) ([]byte, error) {
		data, err := assets.Translations.ReadFile("translations/" + ours + ".json")
		if err != nil {
			return nil, err
		}
		var texts map[string]any
		if err := json.Unmarshal(data, &texts); err != nil {
			return nil, err
		}
		sample, _ := texts[words.Sample].(string)
		if miles {
			sample = words.InMiles(sample)
		}
		return json.Marshal(map[string]string{words.Sample: sample})
	})
}

// eachLanguage gives fyne the texts of every language that it may choose: of the one
// chosen, where one is.
func eachLanguage(chosen string, texts func(ours string) ([]byte, error)) error {
	system, err := locale.GetLocales()
	if err != nil {
		system = nil // as fyne does: English
	}
	understood := understoodBy(system)
	for tag, ours := range tags() {
		if !understood[ours] {
			continue
		}
		if chosen != "" {
			ours = chosen
		}
		data, err := texts(ours)
		if err != nil {
			return fmt.Errorf("language %q: %w", ours, err)
		}
		if err := lang.AddTranslationsForLocale(data, fyne.Locale(tag)); err != nil {
			return fmt.Errorf("language %q: %w", ours, err)
		}
	}
	return nil
}

// tags are the languages that fyne may choose for a system, and ours for each:
// it has texts of its own for some countries, and falls back to English, not to
// the language, where a country's has none of ours.
func tags() map[string]string {
	return map[string]string{
		"en": "en", "de": "de", "pt": "pt", "pt-PT": "pt", "pt-BR": "pt", "zh": "zh", "zh-Hans": "zh", "zh-Hant": "zh",
	}
}

// understoodBy are those of our languages that fyne may choose on a system of
// some locales: the others would take memory for nothing. English is always
// among them, for what is not known.
func understoodBy(locales []string) map[string]bool {
	ours := []string{"en", "de", "pt", "zh"}
	matcher := language.NewMatcher([]language.Tag{language.English, language.German, language.Portuguese, language.Chinese})
	understood := map[string]bool{"en": true}
	for _, l := range locales {
		tag, err := language.Parse(l)
		if err != nil {
			continue
		}
		if _, i, sure := matcher.Match(tag); sure != language.No {
			understood[ours[i]] = true
		}
	}
	return understood
}
